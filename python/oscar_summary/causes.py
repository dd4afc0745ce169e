"""What takes the time of an AllReduce: the parts of its critical path, in the order of the reports."""

NAMES = {"wire": "the link", "engine": "the engine", "dma": "the DMA", "latency": "latency", "wait": "waiting"}
COLUMNS = tuple(f"critical_path.{cause}_ps" for cause in NAMES)


def share(rows, cause):
    """Of the critical path, mean over rows."""
    return sum(row[f"critical_path.{cause}_ps"] / row["allreduce_ps"] for row in rows) / len(rows)


def shares(rows):
    """{cause: its share}."""
    return {cause: share(rows, cause) for cause in NAMES}


def limiter(rows):
    """The largest part of the critical path, in words."""
    of = shares(rows)
    return NAMES[max(of, key=of.get)]


def limiter_and_share(rows):
    """The same with its part, like "the link, 41 %"."""
    return f"{limiter(rows)}, {100 * max(shares(rows).values()):.0f} %"
