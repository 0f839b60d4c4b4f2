"""Progress bars for long work: tqdm's where that package is there, otherwise a line of our own."""

from __future__ import annotations

import sys
import time
from typing import Any, Callable, Optional, TextIO

# Characters of a bar, and how often it is drawn.
_WIDTH, _BETWEEN = 30, 0.2


class Bar:
    """Shows how much of some work is done: bar(part), from 0 to 1. A part that is smaller than the one before begins
    another pass. Give it as on_progress, in a with statement or not; close() ends it."""

    def __init__(self, title: str = "", file: Optional[TextIO] = None) -> None:
        self.title, self.file = title, file if file is not None else sys.stderr
        self.passes, self.part, self.drawn = 1, 0.0, 0.0
        self.bar: Any = None
        try:
            from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]
        except ModuleNotFoundError:
            return
        shape = "{desc} {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"
        self.bar = tqdm(total=1.0, desc=title, file=self.file, bar_format=shape)

    def __call__(self, part: float, title: Optional[str] = None) -> None:
        part = min(max(float(part), 0.0), 1.0)
        changed = title is not None and title != self.title
        if changed:
            self.title = str(title)
        elif part < self.part:
            self.passes += 1
        self.part = part
        if self.bar is not None:
            self.bar.set_description_str(self._words(), refresh=False)
            self.bar.n = part
            self.bar.refresh()
        elif changed or part >= 1.0 or time.monotonic() - self.drawn > _BETWEEN:
            self.drawn = time.monotonic()
            full = int(_WIDTH * part)
            self.file.write(f"\r{self._words()} {'█' * full}{'·' * (_WIDTH - full)} {100 * part:3.0f} %")
            self.file.flush()

    def _words(self) -> str:
        again = f"pass {self.passes}" if self.passes > 1 else ""
        return ", ".join(x for x in (self.title, again) if x)

    def close(self) -> None:
        """Ends the line."""
        if self.bar is not None:
            self.bar.close()
        elif self.drawn:
            self.file.write("\n")
            self.file.flush()

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def tasks(progress: Any, title: str) -> Callable[[str, int, int], None]:
    """A function of (pass, tasks done, tasks): the user's own, a bar if that is True, or nothing."""
    if progress is None or progress is False:
        return lambda *_: None
    if progress is not True:
        return progress  # type: ignore[no-any-return]
    bar = Bar(title)

    def tell(what: str, done: int, all: int) -> None:
        bar(done / max(1, all), what)
        if done >= all:
            bar.close() if what in ("second pass", "units") else None

    return tell
