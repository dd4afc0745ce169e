"""A training under way on the simulated machine, step by step."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from oscar_sim._arrays import floats
from oscar_sim._config import text_of, without_place
from oscar_sim._core import ConfigError
from oscar_sim.simulation import WRONG_INPUT, SimulationError, program


@dataclass(frozen=True)
class LiveStep:
    """What the method of a live run made of one step. Times are simulated."""

    mean: npt.NDArray[np.float32]  #: of the ranks' gradients, as every rank holds it
    seconds: float  #: of the whole step, with the passes and the optimiser that the key `step` describes
    collectives: float  #: seconds of all collectives, one after the other, with the kernels around them
    kernels: float  #: seconds of these kernels of the GPU: they compress, look for scales, convert
    payload_bytes: int  #: encoded, of all ranks
    wire_bytes: int  #: with packet headers, over all links
    floats: int  #: that a lossy compressor sent, as its publication counts them
    factors: list[float]  #: of each tensor, as a controller chose; empty without one
    gains: dict[float, float]  #: of the factors that a controller tried, the share of the energy that each keeps


class LiveRun:
    """An experiment of one method, whose gradients come from a training instead of a trace.

    Each step the method carries the gradients of all ranks over the simulated machine, with real bytes, and leaves the
    mean that the training goes on with. Scales, tables, residuals and controllers last from step to step.

        with oscar_sim.LiveRun({"ranks": 8, "methods": ["asc"]}, [("weight", (10, 256))]) as machine:
            step = machine.step(gradients)

    `config` and `overrides`: as simulate() takes them, without a trace. `layers`: (name, shape) of each tensor, in the
    order of the values of a gradient. ConfigError: a wrong configuration, or another number of methods than one.
    """

    def __init__(
        self,
        config: Union[Mapping[str, Any], str, "os.PathLike[str]"],
        layers: Iterable[tuple[str, Sequence[int]]],
        overrides: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._written = isinstance(config, Mapping)
        file = Path(self._folder.name) / "experiment.yaml" if isinstance(config, Mapping) else Path(config)
        if isinstance(config, Mapping):
            file.write_text(text_of(config), encoding="utf-8")
        sets = [part for key, value in (overrides or {}).items() for part in ("--set", f"{key}={text_of(value, key)}")]
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8")
        self._process = subprocess.Popen(
            [program(), "live", str(file), *sets],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        about = [{"name": name, "shape": [int(size) for size in shape]} for name, shape in layers]
        answer = self._ask({"layers": about})
        self.ranks: int = answer["ranks"]
        self.values: int = answer["values"]  #: of a rank's gradient

    def step(self, gradients: Iterable[npt.ArrayLike]) -> LiveStep:
        """Carries one gradient of each rank, of one dimension. ValueError: another number of ranks or values, values
        that are not finite. SimulationError: ranks that hold other sums than the reference, or no mean."""
        arrays = [floats(gradient, f"rank {rank}") for rank, gradient in enumerate(gradients)]
        if [array.size for array in arrays] != [self.values] * self.ranks:
            sizes = sorted({array.size for array in arrays})
            raise ValueError(
                f"gradients: {self.ranks} of {self.values} values are wanted, not {len(arrays)} of {sizes}"
            )
        answer = self._ask({"step": {}}, arrays)
        mean = np.frombuffer(self._read(4 * self.values), "<f4").astype(np.float32)
        if not answer["sums_match_reference"]:
            raise SimulationError("the ranks hold other sums than the reference")
        return LiveStep(
            mean,
            answer["step_ps"] * 1e-12,
            answer["allreduce_ps"] * 1e-12,
            answer["gpu_kernel_ps"] * 1e-12,
            answer["payload_bytes"],
            answer["wire_bytes"],
            answer["floats"],
            answer["factors"],
            dict(answer["gains"]),
        )

    def end_epoch(self, learning_rate: float) -> None:
        """That an epoch has ended, and with which learning rate the next begins: for schedules of compressors."""
        self._ask({"end_epoch": float(learning_rate)})

    def close(self) -> None:
        """Ends the program."""
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except BrokenPipeError:
                pass  # it has ended, and what was written last is lost
        self._process.wait()
        self._errors.close()
        self._folder.cleanup()

    def __enter__(self) -> "LiveRun":
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def _ask(self, request: Mapping[str, Any], arrays: Iterable[npt.NDArray[np.float32]] = ()) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            for array in arrays:
                self._process.stdin.write(array.astype("<f4", copy=False).data)
            self._process.stdin.flush()
        except BrokenPipeError:
            self._fail()
        line = self._process.stdout.readline()
        if not line:
            self._fail()
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _read(self, count: int) -> bytes:
        assert self._process.stdout is not None
        content = self._process.stdout.read(count)
        if len(content) < count:
            self._fail()
        return content

    def _fail(self) -> None:
        """Raises what the program said when it ended."""
        status = self._process.wait()
        self._errors.seek(0)
        message = self._errors.read().strip().removeprefix("oscar-sim: ")
        self.close()
        if status == WRONG_INPUT:
            raise ConfigError(without_place(message) if self._written else message)
        raise SimulationError(message or f"the program ended with status {status}")
