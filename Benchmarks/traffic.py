"""Messages as real devices send them."""

from __future__ import annotations

import json

from publisher import publish_packet

#: Widget and topic that only show that all messages before have been seen.
FENCE = "bench/fence"
SOLAR_POWER = "solar/ac/power"
SOLAR_TODAY = "solar/ac/yieldday"
GRID_POWER = "shellypro3em-aabbccddeeff/status/em:0"
#: Only in the recorded day.
GRID_ENERGY = "shellypro3em-aabbccddeeff/status/emdata:0"
BATTERY_POWER = "N/c0619ab00000/system/0/Dc/Battery/Power"
BATTERY_LEVEL = "N/c0619ab00000/system/0/Dc/Battery/Soc"
BALCONY_POWER = "zigbee2mqtt/balcony"
#: The topics of the home.
TOPICS = [SOLAR_POWER, SOLAR_TODAY, GRID_POWER, BATTERY_POWER, BATTERY_LEVEL, BALCONY_POWER]

#: How many values a topic takes in turn. They wander, but no slot comes, goes or turns.
_STEPS = 250


def shelly(watts: float) -> bytes:
    """A status of a Shelly Pro 3EM, some 430 bytes."""
    document: dict[str, object] = {"id": 0}
    for phase, share in zip("abc", (0.5, 0.3, 0.2)):
        document |= {
            f"{phase}_current": round(watts * share / 231, 3),
            f"{phase}_voltage": 231.4,
            f"{phase}_act_power": round(watts * share, 1),
            f"{phase}_aprt_power": round(watts * share + 21, 1),
            f"{phase}_pf": 0.93,
            f"{phase}_freq": 50.0,
        }
    document |= {
        "n_current": None,
        "total_current": 4.2,
        "total_act_power": round(watts, 1),
        "total_aprt_power": round(watts + 40, 1),
        "user_calibrated_phase": [],
    }
    return json.dumps(document, separators=(",", ":")).encode()


def victron(value: float) -> bytes:
    """A value of a Victron system."""
    return json.dumps({"value": value}).encode()


def zigbee(watts: float) -> bytes:
    """A state of a metering plug as Zigbee2MQTT publishes it."""
    document = {
        "child_lock": "UNLOCK",
        "current": round(watts / 230, 2),
        "energy": 123.45,
        "indicator_mode": "off/on",
        "linkquality": 102,
        "power": watts,
        "power_outage_memory": "restore",
        "state": "ON",
        "update": {"installed_version": 192, "latest_version": 192, "state": "idle"},
        "voltage": 231,
    }
    return json.dumps(document, separators=(",", ":")).encode()


def plain(value: float) -> bytes:
    """A plain number, as of OpenDTU."""
    return f"{value:.1f}".encode()


def json_messages() -> list[bytes]:
    """Packets of four JSON topics in turn; their payloads have some 200 bytes on average."""
    return [packet for step in range(_STEPS) for packet in _json(step)]


def plain_messages() -> list[bytes]:
    """Packets of two topics in turn whose payloads are plain numbers."""
    return [packet for step in range(_STEPS) for packet in _plain(step)]


def mixed_messages() -> list[bytes]:
    """Packets of all six topics in turn."""
    return [packet for step in range(_STEPS) for packet in (*_json(step), *_plain(step))]


def single_messages() -> dict[str, list[bytes]]:
    """Packets of one topic whose value changes with each, so that each is read to its end.

    The payloads of the small JSON have 15 bytes, of the large JSON some 430.
    """
    steps = range(_STEPS)
    return {
        "plain": [_plain(step)[0] for step in steps],
        "small JSON": [_json(step)[1] for step in steps],
        "large JSON": [_json(step)[0] for step in steps],
    }


def stream(packets: list[bytes], count: int) -> bytes:
    """`count` packets in one, from the beginning again after the last."""
    whole, rest = divmod(count, len(packets))
    return b"".join(packets) * whole + b"".join(packets[:rest])


def _json(step: int) -> list[bytes]:
    return [
        publish_packet(GRID_POWER, shelly(400 + step)),
        publish_packet(BATTERY_POWER, victron(-300 - step % 90)),
        publish_packet(BATTERY_LEVEL, victron(round(40 + step / _STEPS, 1))),
        publish_packet(BALCONY_POWER, zigbee(120 + step % 70)),
    ]


def _plain(step: int) -> list[bytes]:
    return [
        publish_packet(SOLAR_POWER, plain(1500 + step % 230)),
        publish_packet(SOLAR_TODAY, plain(9000 + step // 10)),
    ]
