"""What README.md and docs/results.md claim to have found: each number with its formula."""

from tests.scripts.claims.claims import claim
from tests.scripts.claims.measured import added_by_second_bank, loading, second_bank
from tests.scripts.claims.recorded import (
    BEST,
    GPU,
    OTHERS,
    at,
    bucket,
    error,
    faster,
    limiter,
    ranks,
    steps,
    switched,
)
from oscar_summary import causes, pays  # noqa: E402


def ratios(rows, of, *methods):
    """Text and numbers of "# (#-#) times as fast as fp32, ...": `of(method)` gives the baseline's rows."""
    parts = [f"# (#-#) times as fast as {OTHERS[method]}" for method in methods]
    return ", ".join(parts[:-1]) + " and " + parts[-1], [
        number for method in methods for number in faster(rows, of(method))
    ]


def on_ring(link):
    """A line of README's table."""
    rows = at(link)
    return claim(
        f"| {link} | {' | '.join(['# (#-#)'] * len(OTHERS))} | {limiter(rows)} |",
        *(faster(rows, at(link, method)) for method in OTHERS),
    )


def wins(ratio):
    """What a mean, a least and a most ratio say, in words."""
    mean, least, most = ratio
    word = "wins" if mean > 1 else "loses"
    return word if least > 1 or most < 1 else f"{word} on the mean, not on each window"


def on_switch(link):
    rows, added = at(link), switched(link)
    ratio = faster(rows, added)
    return claim(
        f"at {link} Gbit/s OSCAR-HW's ring is # (#-#) times as fast as a switch that adds uncoded integers in # slices "
        f"and {wins(ratio)} (25 MiB, 8 ranks, relative L2 error # (#-#) of both, the ring limited by {limiter(rows)}, "
        f"the switch by {limiter(added)})",
        ratio,
        next(iter(added.values()))["collective.slices"],
        error(rows),
    )


def with_ranks(count):
    rows = ranks(count)
    text, numbers = ratios(rows, lambda method: ranks(count, method), "fp32", "bf16", "fixed_point")
    return claim(
        f"with {count} ranks it is {text} (25 MiB, one slice, 400 Gbit/s, relative L2 error # (#-#), limited by "
        f"{limiter(rows)})",
        numbers,
        error(rows),
    )


def step(trace, link):
    """How many times as fast as with fp32 a step is with OSCAR-HW, uncoded integers and bf16."""
    of = steps(link, "fp32")[trace]["step_ps"]
    return [of / steps(link, method)[trace]["step_ps"] for method in (BEST, "fixed_point", "bf16")]


def of_step(name, trace, link, values, gpu):
    row = steps(link)[trace]
    wrong = bucket(400)[trace]["relative_l2_error"]
    return claim(
        f"a step of {name} (# million values, {gpu}, 8 ranks, relative L2 error # on one of its buckets) is at {link} "
        "Gbit/s with OSCAR-HW # times as fast as with fp32, with uncoded integers # times and with bf16 # times, "
        f"limited by {causes.limiter([row])}",
        values,
        wrong,
        step(trace, link),
    )


def as_configured():
    """Whether buckets and steps were recorded with DMA and quantiser of co-design.yaml; the DMA of steps is scaled."""
    config = pays.config("experiments/co-design")
    words = pays.quantiser_words(config["quantiser"])
    rows = [*bucket(400).values(), *steps(400).values()]
    dmas = {row["gpu.dma_bandwidth"] for row in bucket(400).values()}
    return dmas == {config["gpu"]["dma_bandwidth"]} and all(row["quantiser"] == words for row in rows)


def slower_than_switch(link):
    """How many times as long the ring takes as the switch that adds: mean, least, most."""
    return faster(switched(link), at(link))


def in_readme_of_ranks(count):
    """The means over three baselines, as README has them."""
    methods = ("fp32", "bf16", "fixed_point")
    return [faster(ranks(count), ranks(count, method))[0] for method in methods]


def limiters(link):
    """The limiters of OSCAR-HW's ring and of the switch that adds, in words."""
    ring, switch = limiter(at(link)), limiter(switched(link))
    return f"both limited by {ring}" if ring == switch else f"limited by {ring}, the switch by {switch}"


def one_limiter(*coders):
    """What limits all of them."""
    (found,) = {limiter(rows) for rows in coders}
    return found


def of_tables(link):
    """What loading a table for each class costs OSCAR-HW: speed-ups over uncoded integers."""
    rows, integers, second = at(link), at(link, "fixed_point"), second_bank(link, BEST)
    coders = [at(link, "asc-balanced"), loading(link, "rans"), loading(link, "asc-adapt-symbol")]
    return [
        claim(
            f"At {link} Gbit/s OSCAR-HW's speed-up over uncoded integers is therefore # (#-#), limited by "
            f"{limiter(rows)}; without classes that of ASC is # (#-#), of rANS # (#-#) and of OSCAR-HW's adaptation "
            f"# (#-#), all limited by {one_limiter(*coders)} (error #)",
            *(faster(coded, integers) for coded in (rows, *coders)),
            error(rows)[0],
        ),
        claim(
            "With a second bank of tables (`engine.table_load: 0`), OSCAR-HW's speed-up is # (#-#), limited by "
            f"{limiter(second)}",
            faster(second, second_bank(link, "fixed_point")),
        ),
        claim(
            "The bank adds # % to the area of an engine of rANS with classes, or # % with tables in each of its 16 "
            "arrays",
            *(100 * added_by_second_bank(arrays) for arrays in (1, 16)),
        ),
    ]


def readme():
    """The claims of README's section."""
    gains = [step(trace, 400)[0] for trace in steps(400)]
    wrong = {trace: bucket(400)[trace]["relative_l2_error"] for trace in ("gpt2-kjv", "vgg16-fmnist")}
    return [
        claim(
            f"stand for a bucket of 25 MiB, range in brackets (8 ranks at one switch, {GPU}, 8 bits a code, relative "
            "L2 error # (#-#))",
            error(at(400)),
        ),
        *map(on_ring, (100, 200, 400, 800)),
        claim(
            "At 400 Gbit/s it is: against a switch that adds uncoded integers OSCAR-HW's ring takes # times as long, "
            f"{limiters(400)}",
            slower_than_switch(400)[0],
        ),
        claim(f"At 200 Gbit/s it takes # (#-#) times as long, {limiters(200)}", slower_than_switch(200)),
        claim("its engine loads a table for each of eight classes before each message, in 16 cycles each"),
        *of_tables(400),
        claim(
            "over fp32, bf16 and uncoded integers the speed-up is #, # and # with 64 ranks, limited by "
            f"{limiter(ranks(64))}, and #, # and # with 256, limited by {limiter(ranks(256))} (25 MiB, one slice, 400 "
            "Gbit/s, error #)",
            in_readme_of_ranks(64),
            in_readme_of_ranks(256),
            error(ranks(64))[0],
        ),
        claim(
            "at 25 Gbit/s: over fp32 OSCAR-HW makes the step #x faster, uncoded integers #x, bf16 #x, limited by "
            f"{causes.limiter([steps(25)['gpt2-kjv']])} (error # on a bucket)",
            step("gpt2-kjv", 25),
            wrong["gpt2-kjv"],
        ),
        claim(
            "at 100 Gbit/s: #x, #x and #x, limited by " f"{causes.limiter([steps(100)['vgg16-fmnist']])} (error #)",
            step("vgg16-fmnist", 100),
            wrong["vgg16-fmnist"],
        ),
        claim("At 400 Gbit/s no step of three models gains more than # %", 100 * (max(gains) - 1)),
        claim("Hardly at 400 Gbit/s for each GPU"),
    ]


def found():
    """The claims of docs/results.md on where OSCAR-HW pays."""
    gains = [step(trace, 400)[0] for trace in steps(400)]
    quantiser = pays.config("experiments/co-design")["quantiser"]
    return [
        claim(
            "stand for a bucket of 25 MiB, range in brackets (8 ranks at one switch, "
            f"{GPU}, {quantiser.get('bits', 8)} bits a code, relative L2 error # (#-#))",
            error(at(400)),
        ),
        *map(on_ring, (100, 200, 400, 800)),
        claim("Its array is empty while it loads the tables of eight classes, in 16 cycles each"),
        *of_tables(400),
        *map(on_switch, (200, 400)),
        *map(with_ranks, (64, 256)),
        claim("With published times of the passes and DDP buckets of 25 MiB"),
        claim(f"as fast as with fp32{'' if as_configured() else ' (on another machine)'}"),
        of_step("GPT-2 small", "gpt2-kjv", 25, 16 * steps(25)["gpt2-kjv"]["values"] / 1e6, "A100"),
        of_step("VGG-16", "vgg16-fmnist", 100, 16 * steps(100)["vgg16-fmnist"]["values"] / 1e6, "V100"),
        claim("(exact agreement, error feedback, one scale at the 99.9th percentile)"),
        claim("At 400 Gbit/s no step of the three models gains more than # %", 100 * (max(gains) - 1)),
    ]
