"""What must be known of a method's settings to read its row."""

PEELS = 0.82  # listed elements per cell up to which three hashes recover all of a large tensor: 1 / 1.222


def of(methods, dense, measures):
    """Lines about the methods that are there. `methods`: {name: records}; `dense`: the records of dense training,
    or None."""
    lines = [*_without_momentum_correction(methods), *_loads(methods), *_tagc(methods, dense, measures)]
    return [f"\n{' '.join(lines)}"] if lines else []


def _named(methods, *kinds):
    return [name for name, runs in methods.items() if runs[0]["kind"] in kinds]


def _without_momentum_correction(methods):
    return [
        f"{name}: DGC's selection and warm-up alone, for the momentum is the optimiser's."
        for name in _named(methods, "dgc")
        if not methods[name][0]["parameters"].get("momentum", 0.9)
    ]


def _loads(methods):
    """As measured in the trainings of results/training: what falls to a cell depends on how alike the ranks are."""
    names = _named(methods, "lhc", "tagc")
    return (
        [
            f"{' and '.join(names)}: 0.84 to 1.33 elements fall to a cell, above the {PEELS} at which all of them "
            "peel; the rest is estimated, so neither is lossless here."
        ]
        if names
        else []
    )


def _tagc(methods, dense, measures):
    if not dense or measures.rising:
        return []
    return [
        f"{name}: its loss is {100 * (measures.quality(methods[name]) / measures.quality(dense) - 1):+.1f} % of "
        "dense's; its paper has +3.6 %."
        for name in _named(methods, "tagc")
        if measures.final(methods[name])
    ]
