"""A publisher that costs next to nothing: its packets are made beforehand and sent many at a time."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Iterable

from processes import CannotMeasure

_CONNECT = 0x10
_CONNACK = 0x20
_PUBLISH = 0x30
_PINGREQ = b"\xc0\x00"
_PINGRESP = 0xD0
_DISCONNECT = b"\xe0\x00"


def publish_packet(topic: str, payload: bytes, retain: bool = False) -> bytes:
    """A PUBLISH of MQTT 3.1.1 at QoS 0 (section 3.3)."""
    name = topic.encode()
    body = len(name).to_bytes(2, "big") + name + payload
    return bytes([_PUBLISH | retain]) + _length(len(body)) + body


class Publisher:
    """One connection to a broker on this machine."""

    def __init__(self, port: int, client_id: str = "publisher") -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        # A lone message must not wait for the acknowledgement of the one before.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        name = client_id.encode()
        # Protocol MQTT, level 4, clean session, no keepalive.
        body = b"\x00\x04MQTT\x04\x02\x00\x00" + len(name).to_bytes(2, "big") + name
        self._socket.sendall(bytes([_CONNECT]) + _length(len(body)) + body)
        if self._receive(4)[0] != _CONNACK:
            raise CannotMeasure("The broker does not greet the publisher.")

    def send(self, packets: bytes) -> None:
        """Sends packets that are made already."""
        self._socket.sendall(packets)

    def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """Publishes one message."""
        self.send(publish_packet(topic, payload, retain))

    def flush(self) -> None:
        """Waits until the broker has taken all that was sent: it answers a ping in its turn."""
        self.send(_PINGREQ)
        if self._receive(2)[0] != _PINGRESP:
            raise CannotMeasure("The broker does not answer the publisher's ping.")

    def pace(self, packets: Iterable[bytes], per_second: float, seconds: float) -> int:
        """Sends packets one at a time at even distances, and returns how many."""
        begin = time.monotonic()
        count = 0
        for packet in packets:
            due = begin + count / per_second
            if due >= begin + seconds:
                break
            if (wait := due - time.monotonic()) > 0:
                time.sleep(wait)
            self.send(packet)
            count += 1
        return count

    def close(self) -> None:
        """Says farewell, if the broker is still there."""
        with self._socket, contextlib.suppress(OSError):
            self._socket.sendall(_DISCONNECT)

    def __enter__(self) -> Publisher:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _receive(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            if not (more := self._socket.recv(count - len(data))):
                raise CannotMeasure("The broker has closed the publisher's connection.")
            data += more
        return data


def _length(count: int) -> bytes:
    """A remaining length (section 2.2.3)."""
    digits = bytearray()
    while True:
        count, digit = divmod(count, 128)
        digits.append(digit | (128 if count else 0))
        if not count:
            return bytes(digits)
