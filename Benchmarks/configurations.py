"""Configurations of flowbridge."""

from __future__ import annotations

import traffic

#: Everything goes as soon as it may: once a second.
EAGER = "every: 1s, urgent: 1s, settle: 0s, deadband: 0, budget: unlimited"
#: As somebody has it who configures nothing, but for the account, which is not asked.
USUAL = "every: 60s, urgent: 15s, settle: 10s, budget: unlimited"

_HOME_READINGS = {
    "solar_power": f"topic: {traffic.SOLAR_POWER}, unit: W",
    "solar_today": f"topic: {traffic.SOLAR_TODAY}, unit: Wh, counts: today",
    "grid_power": f'topic: "{traffic.GRID_POWER}", path: /total_act_power, unit: W',
    "battery_power": f"topic: {traffic.BATTERY_POWER}, path: /value, unit: W",
    "battery_level": f'topic: {traffic.BATTERY_LEVEL}, path: /value, unit: "%"',
    "balcony_power": f"topic: {traffic.BALCONY_POWER}, path: /power, unit: W",
}

_HOME_WIDGET = """\
  power:
    template: flow
    name: Home power
    label: Power
    unit: W
    push_throttle: 1s
    push: {{ {push} }}
    inputs:
      - {{ name: Solar, icon: sun.max.fill, color: yellow, rate: solar_power, total: solar_today }}
      - {{ name: Balcony, icon: sun.min.fill, color: orange, rate: balcony_power }}
    storage:
      name: Battery
      icon: battery.75percent
      color: green
      rate: {{ charging: battery_power }}
      level: battery_level
    exchange: {{ name: Grid, icon: bolt.fill, color: purple, rate: {{ import: grid_power }} }}
    output: {{ name: Home, icon: house.fill, color: blue, rate: balance }}
"""

#: What shows a day's totals, besides the home's widget.
DAY_READINGS = {
    "grid_in": f'topic: "{traffic.GRID_ENERGY}", path: /total_act, unit: Wh, counts: lifetime',
    "solar_at_night": f"topic: {traffic.SOLAR_POWER}, unit: W, expires: 15m, expired: zero",
}
DAY_WIDGET = """\
  day:
    template: flow
    name: Day
    unit: W
    inputs: [{ name: Solar, rate: solar_at_night, total: solar_today }]
    storage: { name: Battery, rate: { charging: battery_power }, level: battery_level, total: integrate }
    exchange: { name: Grid, rate: { import: grid_power }, total: grid_in }
    output: { name: House, rate: balance, total: integrate }
"""


def configuration(
    port: int,
    url: str,
    *,
    push: str = USUAL,
    readings: dict[str, str] | None = None,
    widgets: str = "",
) -> str:
    """The home's widget, the fence, and further readings and widgets, in YAML; the key is in a file `key` beside it."""
    table = _HOME_READINGS | {"fence": f"topic: {traffic.FENCE}, unit: W"} | (readings or {})
    lines = [
        f'broker: {{ url: "mqtt://127.0.0.1:{port}", client_id: flowbridge }}',
        f'pushward: {{ url: "{url}", key: {{ file: key }} }}',
        "timezone: Europe/Berlin",
        "readings:",
        *(f"  {name}: {{ {members} }}" for name, members in table.items()),
        "widgets:",
        _HOME_WIDGET.format(push=push).rstrip(),
        "  fence:",
        "    template: flow",
        "    name: Fence",
        "    push_throttle: 1s",
        f"    push: {{ {EAGER} }}",
        "    inputs: [{ name: Fence, rate: fence }]",
        widgets,
    ]
    return "\n".join(lines)
