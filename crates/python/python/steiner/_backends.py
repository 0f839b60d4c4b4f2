"""Where the work of a fleet is done: here, on Ray, or on Dask."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Sequence, Tuple

# Results that one merge takes.
FAN = 8

Progress = Callable[[int, int], None]


class _Local:
    def run(self, function: Callable[..., Any], items: Sequence[Tuple[Any, ...]], progress: Progress) -> List[Any]:
        out = []
        for k, item in enumerate(items):
            out.append(function(*item))
            progress(k + 1, len(items))
        return out

    def reduce(self, function: Callable[..., Any], first: Any, parts: List[Any]) -> Any:
        return function(first, *parts) if len(parts) > 1 else parts[0]

    def get(self, parts: List[Any]) -> List[Any]:
        return parts


class _Ray:
    def __init__(self, retries: int) -> None:
        try:
            import ray
        except ModuleNotFoundError:
            raise ModuleNotFoundError("ray is missing; pip install steiner[ray]") from None
        if not ray.is_initialized():
            raise RuntimeError("Ray is not running; call ray.init() first, with the address of your cluster")
        self.ray, self.retries = ray, retries

    def _remote(self, function: Callable[..., Any]) -> Any:
        return self.ray.remote(max_retries=self.retries, num_cpus=1)(function)

    def run(self, function: Callable[..., Any], items: Sequence[Tuple[Any, ...]], progress: Progress) -> List[Any]:
        remote = self._remote(function)
        # What all tasks share is stored once.
        shared: Dict[int, Any] = {}
        def stored(x: Any) -> Any:
            if isinstance(x, bytes):
                return shared.setdefault(id(x), self.ray.put(x))
            return x

        refs = [remote.remote(*(stored(x) for x in item)) for item in items]
        waiting = list(refs)
        while waiting:
            done, waiting = self.ray.wait(waiting, num_returns=1)
            self.ray.get(done)
            progress(len(refs) - len(waiting), len(refs))
        return refs

    def reduce(self, function: Callable[..., Any], first: Any, parts: List[Any]) -> Any:
        remote, refs = self._remote(function), list(parts)
        shared = self.ray.put(first)
        while len(refs) > 1:
            refs = [
                remote.remote(shared, *refs[k : k + FAN]) if len(refs[k : k + FAN]) > 1 else refs[k]
                for k in range(0, len(refs), FAN)
            ]
        return self.ray.get(refs[0])

    def get(self, parts: List[Any]) -> List[Any]:
        return list(self.ray.get(parts))


class _Dask:
    def __init__(self, client: Any, retries: int) -> None:
        try:
            import distributed
        except ModuleNotFoundError:
            raise ModuleNotFoundError("dask.distributed is missing; pip install steiner[dask]") from None
        self.retries = retries
        self.as_completed: Any = distributed.as_completed
        try:
            self.client = client or distributed.get_client()
        except ValueError:
            raise RuntimeError("there is no Dask client; make one with distributed.Client(address)") from None

    def run(self, function: Callable[..., Any], items: Sequence[Tuple[Any, ...]], progress: Progress) -> List[Any]:
        futures = [self.client.submit(function, *item, retries=self.retries, pure=False) for item in items]
        for k, future in enumerate(self.as_completed(futures)):
            if future.status == "error":
                future.result()
            progress(k + 1, len(futures))
        return futures

    def reduce(self, function: Callable[..., Any], first: Any, parts: List[Any]) -> Any:
        futures = list(parts)
        while len(futures) > 1:
            futures = [
                self.client.submit(function, first, *futures[k : k + FAN], retries=self.retries, pure=False)
                if len(futures[k : k + FAN]) > 1
                else futures[k]
                for k in range(0, len(futures), FAN)
            ]
        return futures[0].result()

    def get(self, parts: List[Any]) -> List[Any]:
        return list(self.client.gather(parts))


def chosen(backend: Any, retries: int) -> Any:
    if backend == "local":
        return _Local()
    if backend == "ray":
        return _Ray(retries)
    if backend == "dask" or hasattr(backend, "submit"):
        return _Dask(None if backend == "dask" else backend, retries)
    raise ValueError(f'backend is {backend!r}; use "ray", "dask", "local" or a dask.distributed.Client')
