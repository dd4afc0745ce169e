"""The report of a simulation: a dict, a table, a figure."""

from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

# Parts of the critical path as keys of report.json, with their names, from the link up, in Okabe and Ito's colours.
_PARTS = {
    "wire_ps": ("link", "#0072B2"),
    "engine_ps": ("engine", "#D55E00"),
    "dma_ps": ("dma", "#009E73"),
    "latency_ps": ("latency", "#E69F00"),
    "wait_ps": ("wait", "#999999"),
}


class Report(dict[str, Any]):
    """What `oscar-sim run` writes to report.json: `report["methods"]`, `report["config"]`, ...

    `oscar-sim describe report` tells what each field means.
    """

    def __repr__(self) -> str:
        times = ", ".join(f"{method['name']} {method['allreduce_ps'] / 1e6:.3f} us" for method in self["methods"])
        return f"<Report of {self['experiment']}: {self._what()}: {times}>"

    def to_pandas(self, rows: str = "method") -> "pandas.DataFrame":
        """A table of the figures, indexed by `method`; with rows="iteration" by `method` and `position`.

        Columns are the keys of report.json, those of maps with a dot: `allreduce_ps`, `critical_path.wire_ps`,
        `speedup.fp32`. Lists (links, flows, ...) are left out. ValueError for other rows; ImportError without pandas.
        """
        pandas = _module("pandas", "python3-pandas")
        if rows == "method":
            plain = [_without_lists(method) for method in self["methods"]]
            return pandas.json_normalize(plain).rename(columns={"name": "method"}).set_index("method")
        if rows == "iteration":
            plain = [
                {"method": method["name"], **iteration}
                for method in self["methods"]
                for iteration in method["iterations"]
            ]
            return pandas.json_normalize(plain).set_index(["method", "position"])
        raise ValueError(f"rows: {rows!r} is not known; choose method or iteration")

    def plot(self, baseline: Optional[str] = None) -> "Figure":
        """A figure of two panels: the speed-up of each method over `baseline` (the first), with what limits it, and the
        critical path of its AllReduce by part. ValueError: no such method; ImportError without matplotlib.
        """
        matplotlib_figure = _module("matplotlib.figure", "python3-matplotlib")
        methods = self["methods"]
        names = [method["name"] for method in methods]
        baseline = names[0] if baseline is None else baseline
        if baseline not in names:
            raise ValueError(f"baseline: {baseline!r} is none of the methods; choose one of {', '.join(names)}")
        figure: "Figure" = matplotlib_figure.Figure(figsize=(9, 1.6 + 0.4 * len(names)), layout="constrained")
        speed, path = figure.subplots(1, 2, sharey=True)
        _draw_speed(speed, methods, baseline)
        _draw_path(path, methods)
        speed.invert_yaxis()  # the first method on top
        figure.suptitle(self._what())
        return figure

    def _what(self) -> str:
        """What every ratio is of: trace, size, ranks, link."""
        network, trace = self["config"]["network"], self["trace"]
        return (
            f"{trace['name']}, {trace['elements']:,} values, {self['config']['ranks']} ranks, "
            f"{network['topology']['kind']} of {network['link']['bandwidth']}"
        )


def _without_lists(figures: dict[str, Any]) -> dict[str, Any]:
    """The figures, and maps of figures, that are one value; a map of lists alone is left out by pandas."""
    return {
        key: _without_lists(value) if isinstance(value, dict) else value
        for key, value in figures.items()
        if not isinstance(value, list)
    }


def _draw_speed(axes: Any, methods: list[dict[str, Any]], baseline: str) -> None:
    reference = next(method["allreduce_ps"] for method in methods if method["name"] == baseline)
    factors = [reference / method["allreduce_ps"] for method in methods]
    bars = axes.barh([method["name"] for method in methods], factors, color="#56B4E9")
    axes.bar_label(
        bars,
        [f"{factor:.2f}x, limited by {method['bottleneck']}" for factor, method in zip(factors, methods)],
        padding=3,
        fontsize=8,
    )
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xlim(0, 1.8 * max(factors))  # room for the labels
    axes.set_xlabel(f"speed-up over {baseline} (higher is better)")


def _draw_path(axes: Any, methods: list[dict[str, Any]]) -> None:
    left = [0.0] * len(methods)
    for key, (name, colour) in _PARTS.items():
        widths = [method["critical_path"][key] / 1e6 for method in methods]
        axes.barh([method["name"] for method in methods], widths, left=left, color=colour, label=name)
        left = [start + width for start, width in zip(left, widths)]
    axes.set_xlabel("critical path of the AllReduce, us")
    axes.legend(fontsize=8, ncol=len(_PARTS), loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)


def _module(name: str, package: str) -> Any:
    """A module that only some calls need. ImportError, with the command that installs it."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"{name} is missing ({error}); install it: apt install {package}") from None
