"""A bridge as one writes it for one's own home: paho-mqtt and requests, and nothing that they do not need.

It is what flowbridge is compared with. It keeps one connection to the service, sends only what has changed since the
last time, and leaves a pause between updates. Unlike flowbridge it knows nothing of age, totals, budgets, answers that
got lost, or frames that must add up.
"""

from __future__ import annotations

import argparse
import json
import logging
import threading
import time
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import requests

#: The reading that a topic brings, and the member of its JSON payload; None where the payload is the value.
TOPICS: dict[str, tuple[str, str | None]] = {
    "solar/ac/power": ("solar_power", None),
    "solar/ac/yieldday": ("solar_today", None),
    "shellypro3em-aabbccddeeff/status/em:0": ("grid_power", "total_act_power"),
    "N/c0619ab00000/system/0/Dc/Battery/Power": ("battery_power", "value"),
    "N/c0619ab00000/system/0/Dc/Battery/Soc": ("battery_level", "value"),
    "zigbee2mqtt/balcony": ("balcony_power", "power"),
    "bench/fence": ("fence", None),
}

log = logging.getLogger("bridge")


def power_content(values: dict[str, float]) -> dict[str, Any] | None:
    """What the home's widget shows, once everything is known."""
    try:
        solar, balcony = values["solar_power"], values["balcony_power"]
        battery, grid = values["battery_power"], values["grid_power"]
        total, level = values["solar_today"], values["battery_level"]
    except KeyError:
        return None
    home = max(solar + balcony + grid - battery, 0)
    return {
        "template": "flow",
        "label": "Power",
        "unit": "W",
        "flow": {
            "inputs": [
                {
                    "name": "Solar",
                    "icon": "sun.max.fill",
                    "color": "yellow",
                    "rate": round(solar),
                    "total": round(total / 1000, 2),
                },
                {"name": "Balcony", "icon": "sun.min.fill", "color": "orange", "rate": round(balcony)},
            ],
            "storage": {
                "name": "Battery",
                "icon": "battery.75percent",
                "color": "green",
                "rate": round(battery),
                "level": round(level),
            },
            "exchange": {"name": "Grid", "icon": "bolt.fill", "color": "purple", "rate": round(grid)},
            "output": {"name": "Home", "icon": "house.fill", "color": "blue", "rate": round(home)},
        },
    }


def fence_content(values: dict[str, float]) -> dict[str, Any] | None:
    """What the fence shows."""
    if "fence" not in values:
        return None
    return {"template": "flow", "flow": {"inputs": [{"name": "Fence", "rate": round(values["fence"])}]}}


def merge_patch(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """What turns one document into another (RFC 7396)."""
    patch: dict[str, Any] = {name: None for name in old if name not in new}
    for name, value in new.items():
        before = old.get(name)
        if isinstance(before, dict) and isinstance(value, dict):
            if inner := merge_patch(before, value):
                patch[name] = inner
        elif before != value:
            patch[name] = value
    return patch


class Widget:
    """One widget of the service, and what it is known to show."""

    def __init__(self, slug: str, name: str, content: Any, interval: float) -> None:
        self.slug = slug
        self.name = name
        self.content = content
        self.interval = interval
        self.shown: dict[str, Any] | None = None
        self.due = 0.0
        #: Whether something may have changed that had to wait.
        self.is_late = False

    def update(self, session: requests.Session, url: str, values: dict[str, float]) -> None:
        """Sends what has changed, unless nothing has, or the last update is too young."""
        now = time.monotonic()
        self.is_late = now < self.due
        if self.is_late:
            return
        content = self.content(values)
        if content is None or content == self.shown:
            return
        if self.shown is None:
            body = json.dumps({"slug": self.slug, "name": self.name, "content": content})
            answer = session.post(f"{url}/widgets", body, headers={"Content-Type": "application/json"}, timeout=10)
        else:
            body = json.dumps({"content": merge_patch(self.shown, content)})
            answer = session.patch(
                f"{url}/widgets/{self.slug}", body, headers={"Content-Type": "application/merge-patch+json"}, timeout=10
            )
        answer.raise_for_status()
        self.shown = content
        self.due = now + self.interval


class Bridge:
    """Takes messages on paho's thread, and sends updates on the main thread."""

    #: How long the main thread gathers changes, in s, so that a flood does not wake it for each message.
    GATHER = 0.05

    def __init__(self, url: str, key: str, widgets: list[Widget]) -> None:
        self.url = url
        self.widgets = widgets
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {key}"
        self.values: dict[str, float] = {}
        self.changed = threading.Event()

    def on_connect(self, client: mqtt.Client, _: Any, __: Any, code: int) -> None:
        """Subscribes, also after a reconnect."""
        if code:
            log.error("The broker refuses the connection: %s", mqtt.connack_string(code))
            return
        client.subscribe([(topic, 0) for topic in TOPICS])

    def on_message(self, _: mqtt.Client, __: Any, message: mqtt.MQTTMessage) -> None:
        """Takes a reading."""
        name, member = TOPICS[message.topic]
        try:
            value = float(json.loads(message.payload)[member] if member else message.payload)
        except (ValueError, KeyError, TypeError) as error:
            log.warning("%s: %s", message.topic, error)
            return
        if self.values.get(name) != value:
            self.values[name] = value
            self.changed.set()

    def run(self) -> None:
        """Sends updates for ever."""
        while True:
            self.changed.wait(self.wait())
            self.changed.clear()
            for widget in self.widgets:
                try:
                    widget.update(self.session, self.url, self.values)
                except requests.RequestException as error:
                    log.warning("%s: %s", widget.slug, error)
            time.sleep(self.GATHER)

    def wait(self) -> float | None:
        """How long a widget that has changed still has to wait, in s; None if none has."""
        waits = [widget.due - time.monotonic() for widget in self.widgets if widget.is_late]
        return max(min(waits), 0) if waits else None


def main() -> None:
    """Connects, and runs until it is killed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--broker-port", type=int, required=True)
    parser.add_argument("--service", required=True)
    parser.add_argument("--key-file", type=Path, required=True)
    parser.add_argument("--interval", type=float, default=60)
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    bridge = Bridge(
        options.service,
        options.key_file.read_text().strip(),
        [
            Widget("power", "Home power", power_content, options.interval),
            Widget("fence", "Fence", fence_content, 1),
        ],
    )
    client = mqtt.Client(client_id="script")
    client.on_connect = bridge.on_connect
    client.on_message = bridge.on_message
    client.connect("127.0.0.1", options.broker_port)
    client.loop_start()
    bridge.run()


if __name__ == "__main__":
    main()
