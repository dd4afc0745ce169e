"""What the gradients of a trace offer to a compressor of int8 codes: figures of each stage, means over iterations.

They are of a sample of positions, the same on all ranks and in all iterations. Arrays are read piece by piece, so that
a trace may be far larger than the memory. The quantiser is the simulator's `percentile`, with one peak for all ranks.
"""

import tokenize
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from . import table, user_file

SAMPLE = 1 << 22  # positions of an iteration
CHUNKS, MOST_RANKS = 8, 8
PIECES, SHORTEST = 1024, 4096  # many, so that no large layer is missed, unless a gradient is too short for it
LIMIT = 127  # largest code
BELOW_HALF = 0.49999999999999994  # added before truncation it rounds halves away from zero, and nothing below them


@dataclass
class Figures:
    """Of one iteration, or means over several; None where there is nothing to compare."""

    zeros: float  # share of exact zeros in one rank's gradient
    zero_codes: float  # share of zeros among its codes
    entropy: float  # bits of one of its codes, zero order
    sum_entropy: float  # bits of one value of the sum of the ranks' codes, zero order
    ranks: float = None  # correlation between the gradients of two ranks, mean over all pairs
    imbalance: float = 1.0  # largest over mean size of CHUNKS equal contiguous parts of the codes, coded with one table
    magnitudes: float = None  # correlation of |sum of the gradients| with the iteration before
    zeros_again: float = None  # share of the positions whose sum of codes was zero that is zero again


FORMATS = {
    "zeros": "{:.1%}",
    "zero_codes": "{:.1%}",
    "entropy": "{:.2f}",
    "sum_entropy": "{:.2f}",
    "ranks": "{:z.2f}",
    "magnitudes": "{:z.2f}",
    "zeros_again": "{:.1%}",
    "imbalance": "{:.3f}",
}
HEAD = [
    "Trace",
    "Stage",
    "Values per rank",
    "Exact zeros",
    "Zeros as int8",
    "Entropy of a code, bits",
    "Entropy of the sum, bits",
    "Correlation of ranks",
    "Correlation of abs(sum) with t-1",
    "Zeros of t-1 that stay zero",
    "Imbalance of 8 chunks",
]


def markdown(folders, sample=SAMPLE):
    """The table of the traces in `folders`, a row per stage. OSError, ValueError: one of them cannot be read."""
    return table(HEAD, [line for folder in folders for line in _lines(folder, sample)])


def _lines(folder, sample):
    trace = read_description(folder)
    for stage, figures in stages(folder, trace, sample):
        shown = [
            FORMATS[name].format(value) if (value := getattr(figures, name)) is not None else "-" for name in FORMATS
        ]
        yield [folder.resolve().name, stage, f"{trace['parameters']:,}", *shown]


def read_description(folder):
    """The content of trace.yaml, as far as it is needed here. InputError, ValueError: it does not describe one."""
    trace = user_file.yaml_in(folder / "trace.yaml", "the folder of a trace")
    if problem := _problem_of(trace):
        raise ValueError(f"{folder / 'trace.yaml'} does not describe a trace: {problem}; name the folder of a trace")
    return trace


def _problem_of(trace):
    """What a description of a trace lacks, or None."""
    if not isinstance(trace, dict) or not isinstance(trace.get("iterations"), list) or not trace["iterations"]:
        return "there is no list of iterations"
    for key in ("parameters", "ranks"):
        if type(trace.get(key)) is not int or trace[key] < 1:
            return f"{key} is no whole number"
    for i, entry in enumerate(trace["iterations"]):
        if not isinstance(entry, dict) or not isinstance(entry.get("file"), str) or type(entry.get("step")) is not int:
            return f"iterations.{i} has no file and step"
        if not isinstance(entry.get("scale", 1), (int, float)) or not isinstance(entry.get("stage", ""), str):
            return f"iterations.{i} has a scale or a stage of another kind"
    return None


def stages(folder, trace, sample=SAMPLE):
    """Yield (stage, Figures) in the order of the trace."""
    for stage, entries in groupby(trace["iterations"], lambda entry: entry.get("stage", "captured")):
        found, before, step = [], None, None
        for entry in entries:
            figures, sums = iteration(Reader(folder, trace, entry), sample)
            if before and entry["step"] == step + 1:
                figures.magnitudes, figures.zeros_again = _compared(before, sums)
            found.append(figures)
            before, step = sums, entry["step"]
        yield stage, Figures(**{name: mean([getattr(figures, name) for figures in found]) for name in FORMATS})


def mean(values):
    """The mean of those that are not None, or None."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _mapped(path):
    """The array of a file, of numbers. ValueError: it holds none."""
    try:
        array = np.load(path, mmap_mode="r")
    except (ValueError, EOFError, OverflowError, SyntaxError, TypeError, tokenize.TokenError):  # numpy's name no file
        array = None
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "fV" or array.dtype.itemsize not in (2, 4):
        raise ValueError(f"{path}: is no whole array of fp16, bf16 or fp32; name the folder of a trace")
    return array


class Reader:
    """The gradients of the first MOST_RANKS ranks of an iteration, on disk."""

    def __init__(self, folder, trace, entry):
        self._path = folder / entry["file"]
        array = _mapped(self._path)  # its header alone; pages that a map has read would stay in memory
        self.elements, self.ranks = trace["parameters"], min(trace["ranks"], MOST_RANKS)
        if array.shape != (trace["ranks"], self.elements) or not array.flags.c_contiguous:
            wanted = [trace["ranks"], self.elements]
            raise ValueError(f"{self._path} has the shape {list(array.shape)}, not {wanted} in C order")
        self._begin, self._dtype = array.offset, array.dtype
        self._is_bf16 = trace.get("dtype") == "bf16" or array.dtype.kind == "V"
        self._scale = np.float32(entry.get("scale", 1))

    def __call__(self, rank, piece):
        """fp32 values of a slice of a rank's gradient. ValueError: one is not finite."""
        begin = self._begin + (rank * self.elements + piece.start) * self._dtype.itemsize
        part = np.fromfile(self._path, self._dtype, piece.stop - piece.start, offset=begin)
        with np.errstate(over="ignore", invalid="ignore"):
            if self._is_bf16:
                values = (part.view("<u2").astype(np.uint32) << 16).view(np.float32)
            else:
                values = part.astype(np.float32) * self._scale
        if not np.isfinite(values).all():
            raise ValueError(f"{self._path}: rank {rank} has values that are not finite; capture the trace once more")
        return values


def pieces(elements, sample):
    """[(slice, its chunk)]: up to PIECES parts of `elements` values, each from the middle of an equal part of them."""
    count = CHUNKS * max(1, min(PIECES, elements // SHORTEST) // CHUNKS)
    length = -(-sample // count)
    found = []
    for i in range(count):
        begin, end = elements * i // count, elements * (i + 1) // count
        begin += max(0, end - begin - length) // 2
        if begin < end:
            found.append((slice(begin, min(end, begin + length)), i * CHUNKS // count))
    return found


def iteration(read, sample):
    """(Figures, what the next iteration is compared with) of the gradients that a Reader gives."""
    parts = pieces(read.elements, sample)
    peak = peak_of(np.concatenate([read(0, piece) for piece, _ in parts]))
    codes = np.zeros((read.ranks, CHUNKS, 2 * LIMIT + 1), np.int64)  # how often each code is there
    sums = np.zeros(2 * LIMIT * read.ranks + 1, np.int64)
    zeros, moments, magnitude, is_zero = 0, Moments(read.ranks), [], []
    for piece, chunk in parts:
        values = np.stack([read(rank, piece) for rank in range(read.ranks)])
        quantised = codes_of(values, peak)
        for rank, row in enumerate(quantised):
            codes[rank, chunk] += np.bincount(row + LIMIT, minlength=2 * LIMIT + 1)
        total = quantised.sum(0)
        sums += np.bincount(total + LIMIT * read.ranks, minlength=len(sums))
        zeros += np.count_nonzero(values == 0)
        moments.add(values)
        magnitude.append(np.abs(values.sum(0)))
        is_zero.append(total == 0)
    figures = Figures(
        zeros=zeros / codes.sum(),
        zero_codes=codes[:, :, LIMIT].sum() / codes.sum(),
        entropy=mean([entropy(of_rank.sum(0)) for of_rank in codes]),
        sum_entropy=entropy(sums),
        ranks=moments.correlation(),
        imbalance=mean([imbalance(of_rank) for of_rank in codes]),
    )
    return figures, (np.concatenate(magnitude), np.concatenate(is_zero))


def peak_of(values):
    """The 99.9th percentile of the magnitudes by nearest rank."""
    nearest = (999 * len(values) + 999) // 1000
    return float(np.partition(np.abs(values), nearest - 1)[nearest - 1])


def codes_of(values, peak):
    """int8 codes, as int64: 0 where the peak is."""
    if peak == 0:
        return np.zeros(values.shape, np.int64)
    with np.errstate(over="ignore"):  # infinite beside a peak that is as good as none: clipped
        scaled = values / (peak / np.float64(LIMIT))
    return np.clip(np.trunc(scaled + np.copysign(BELOW_HALF, scaled)), -LIMIT, LIMIT).astype(np.int64)


def entropy(counts):
    """Bits per value, zero order, of values that are there so many times."""
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log2(shares)).sum()) + 0.0


def imbalance(counts):
    """Largest over mean size of chunks that are coded with the table of all; `counts`: [chunks, codes]."""
    every = counts.sum(0)
    bits = -np.log2(np.maximum(every, 1) / every.sum())
    sizes = counts @ bits
    return float(sizes.max() / sizes.mean()) if sizes.any() else 1.0


class Moments:
    """Sums of products of rows that come piece by piece."""

    def __init__(self, rows):
        self._count, self._sums, self._products = 0, np.zeros(rows), np.zeros((rows, rows))

    def add(self, values):
        """`values` [rows, more of them]."""
        values = values.astype(np.float64)
        self._count += values.shape[1]
        self._sums += values.sum(1)
        self._products += values @ values.T

    def correlation(self):
        """Between two rows, as a mean over all pairs of which none is constant; None without such a pair."""
        means = self._sums / self._count
        covariance = self._products / self._count - np.outer(means, means)
        deviation = np.sqrt(np.maximum(np.diag(covariance), 0))
        pairs = [(i, j) for i in range(len(means)) for j in range(i) if deviation[i] > 0 and deviation[j] > 0]
        return mean([float(covariance[i, j] / (deviation[i] * deviation[j])) for i, j in pairs])


def _compared(before, after):
    """(correlation of the magnitudes, share of zeros that are zero again) of two consecutive iterations."""
    moments = Moments(2)
    moments.add(np.stack([before[0], after[0]]))
    was_zero = np.count_nonzero(before[1])
    return moments.correlation(), np.count_nonzero(before[1] & after[1]) / was_zero if was_zero else None
