"""A clock that goes faster than the world's, for a program that has to live through days."""

from __future__ import annotations

import os
import time

from processes import CannotMeasure

_LIBRARY = "/usr/lib/{}-linux-gnu/faketime/libfaketime.so.1".format(os.uname().machine)


class FastClock:
    """A clock that several programs share. libfaketime gives it to them: their waits are as much shorter."""

    def __init__(self, speed: float, begin: float | None = None) -> None:
        """Begins now, `speed` times as fast as the world's, and with `begin`, in s since 1970, if that is given."""
        if not os.path.exists(_LIBRARY):
            raise CannotMeasure("libfaketime is missing.")
        self.speed = speed
        self._real_begin = time.time()
        self._begin = self._real_begin if begin is None else begin

    @property
    def now(self) -> float:
        """What it shows, in s since 1970."""
        return self._begin + (time.time() - self._real_begin) * self.speed

    def sleep_until(self, moment: float) -> None:
        """Waits until it shows `moment`."""
        time.sleep(max(0, (moment - self.now) / self.speed))

    @property
    def environment(self) -> dict[str, str]:
        """For a program that is started now.

        Without the last variable libfaketime would change the environment, beside which Swift looks for the arguments.
        """
        offset = f"{self.now - time.time():+.3f} x{self.speed:g}"
        return {"LD_PRELOAD": _LIBRARY, "FAKETIME": offset, "FAKETIME_SHARED": "/none /none"}
