"""A training under way on the simulated machine, step by step."""

import json
import os
import subprocess
import tempfile
import weakref
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Optional, Union

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
    throughputs: dict[float, float]  #: of those that were ever sent, samples per second times that share


class LiveRun:
    """An experiment of one method, whose gradients come from a training instead of a trace.

    Each step the method carries the gradients of all ranks over the simulated machine, with real bytes, and leaves the
    mean that the training goes on with. Scales, tables, residuals and controllers last from step to step.

        with oscar_sim.LiveRun({"ranks": 8, "methods": ["asc"]}, [("weight", (10, 256))]) as machine:
            step = machine.step(gradients)

    `config` and `overrides`: as simulate() takes them, without a trace. `layers`: (name, shape) of each tensor, in the
    order of the values of a gradient; model.named_parameters() does. ConfigError: a wrong configuration, or another
    number of methods than one. A run that an exception interrupts in a step has ended.
    """

    def __init__(
        self,
        config: Union[Mapping[str, Any], str, "os.PathLike[str]"],
        layers: Iterable[tuple[str, Any]],
        overrides: Optional[Mapping[str, Any]] = None,
    ) -> None:
        about = [_described(layer) for layer in layers]
        self._written = isinstance(config, Mapping)
        sets = [part for key, value in (overrides or {}).items() for part in ("--set", f"{key}={text_of(value, key)}")]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "experiment.yaml" if isinstance(config, Mapping) else Path(config)
            if isinstance(config, Mapping):
                file.write_text(text_of(config), encoding="utf-8")
            self._errors = tempfile.TemporaryFile("w+", encoding="utf-8")
            self._process = subprocess.Popen(
                [program(), "live", str(file), *sets],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
            )
            self._end = weakref.finalize(self, _end, self._process, self._errors)
            self._ended = ""  # why there is no program any more
            answer = self._ask({"layers": about})
        self.ranks: int = answer["ranks"]
        self.values: int = answer["values"]  #: of a rank's gradient
        #: Whether means contain the momentum of the steps before, so that the optimiser is to have none of its own.
        self.has_momentum: bool = answer["has_momentum"]

    def step(self, gradients: Iterable[npt.ArrayLike]) -> LiveStep:
        """Carries one gradient of each rank, of one dimension. ValueError, after which the run goes on: another number
        of ranks or values, values that are not finite. ConfigError: a method whose mean is not finite. SimulationError:
        ranks that hold other sums than the reference; a run that has ended."""
        arrays = [floats(gradient, f"rank {rank}") for rank, gradient in enumerate(gradients)]
        if [array.size for array in arrays] != [self.values] * self.ranks:
            sizes = sorted({array.size for array in arrays})
            raise ValueError(
                f"gradients: {self.ranks} of {self.values} values are wanted, not {len(arrays)} of {sizes}"
            )
        for rank, array in enumerate(arrays):
            if len(wrong := np.flatnonzero(~np.isfinite(array))):
                raise ValueError(
                    f"rank {rank}: element {wrong[0]} is {array[wrong[0]]}; a gradient holds finite values only"
                )
        answer = self._ask({"step": {}}, arrays)
        if not answer["sums_match_reference"]:
            raise SimulationError("the ranks hold other sums than the reference")
        return LiveStep(
            answer["mean"],
            answer["step_ps"] * 1e-12,
            answer["allreduce_ps"] * 1e-12,
            answer["gpu_kernel_ps"] * 1e-12,
            answer["payload_bytes"],
            answer["wire_bytes"],
            answer["floats"],
            answer["factors"],
            {factor: gain for factor, gain, _ in answer["gains"]},
            {factor: throughput for factor, _, throughput in answer["gains"] if throughput is not None},
        )

    def end_epoch(self, learning_rate: float) -> None:
        """That an epoch has ended, and with which learning rate the next begins: for schedules of compressors."""
        self._ask({"end_epoch": float(learning_rate)})

    def close(self) -> None:
        """Ends the program. What is forgotten ends with Python, or when nothing refers to it any more."""
        self._ended = self._ended or "it was closed"
        self._end()

    def __enter__(self) -> "LiveRun":
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def _ask(self, request: Mapping[str, Any], arrays: Sequence[npt.NDArray[np.float32]] = ()) -> dict[str, Any]:
        """The answer to a request. Whatever interrupts it ends the run: half an answer would be taken for the next."""
        if self._ended:
            raise SimulationError(f"the run has ended: {self._ended}")
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            for array in arrays:
                self._process.stdin.write(array.astype("<f4", copy=False).data)
            self._process.stdin.flush()
            line = self._process.stdout.readline()
            answer: dict[str, Any] = json.loads(line or b"{}")
            if arrays and line:
                answer["mean"] = np.frombuffer(self._process.stdout.read(4 * self.values), "<f4").astype(np.float32)
        except BrokenPipeError:
            line = b""
        except BaseException as error:
            self._ended = f"{type(error).__name__} in a request"
            self._end()
            raise
        if not line or (arrays and len(answer["mean"]) < self.values):
            self._fail()
        return answer

    def _fail(self) -> None:
        """Raises what the program said when it ended."""
        status = self._process.wait()
        self._errors.seek(0)
        message = self._errors.read().strip().removeprefix("oscar-sim: ")
        if status == WRONG_INPUT:
            message = without_place(message) if self._written else message
        self._ended = message or f"the program ended with status {status}"
        self._end()
        raise (ConfigError if status == WRONG_INPUT else SimulationError)(self._ended)


def _described(layer: Any) -> dict[str, Any]:
    """The request's words for (name, shape); in place of a shape a tensor or an array may stand, which has one."""
    try:
        name, shape = layer
        return {"name": str(name), "shape": [int(size) for size in getattr(shape, "shape", shape)]}
    except (TypeError, ValueError):
        raise TypeError(
            f"layers: a name and a shape of each are wanted, like ('weight', (256, 10)), not {layer!r}"
        ) from None


def _end(process: "subprocess.Popen[bytes]", errors: IO[str]) -> None:
    """Ends the program, also where a child of this process holds its input open."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, errors):
        try:
            if stream is not None:
                stream.close()
        except BrokenPipeError:
            pass  # what was written last is lost
