"""What results/oscar-hw/SUMMARY.md says of its own sweeps: ablation, baselines, schedules, size, training steps."""

from . import causes, geometric, ordered, spread, table, where
from .oscar_hw_words import BASELINE, BEST, DELTAS, GATHER, GRADIENTS, LINK, PUBLISHED, PUBLISHED_STEP, TRUE_ELEMENTS, Setting, figures, mean_of


def reached(row):
    """Share of the speed-up that the coded bytes and their imbalance allow."""
    return row["speedup.fp32"] * row["bits_per_value"] * row["imbalance"] / 32


def ablation(setting):
    """A line per method: speed-ups, bits, balance, error, and the share of what the bytes alone allow."""
    lines = []
    for method in ordered(setting.rows, "method"):
        rows = setting.of(method)
        lines.append([method, *(spread(figures(rows, f"speedup.{b}")) for b in ("fp32", "fixed_point", BASELINE)),
                      f"{geometric(figures(rows, 'bits_per_value')):.3f}",
                      f"{geometric(figures(rows, 'imbalance')):.3f}",
                      f"{100 * geometric([reached(row) for row in rows]):.1f} %",
                      f"{max(figures(rows, 'relative_l2_error')):.3f}"])
    return table(["method", "x fp32", "x fixed_point", f"x {BASELINE}", "bits/value", "imbalance",
                  "of 32/(bits x imbalance)", "worst rel. L2 error"], lines)


def by_trace(setting):
    """A line per trace: coded bits of the best method against the entropy of its classes, and the AllReduce."""
    lines = []
    for trace in ordered(setting.rows, "trace"):
        row = {r["method"]: r for r in where(setting.rows, trace=trace)}
        best, base = row[BEST], row[BASELINE]
        gap = best["bits_per_value"] / best["entropy_bits_per_value"] - 1
        lines.append([trace, f"{base['bits_per_value']:.3f}", f"{best['bits_per_value']:.3f}",
                      f"{best['entropy_bits_per_value']:.3f}", f"{100 * gap:+.1f} %", f"{base['speedup.fp32']:.2f}",
                      f"{best['speedup.fp32']:.2f}", f"{best['speedup.' + BASELINE]:.2f}",
                      *(f"{row[m]['imbalance']:.3f}" for m in (BASELINE, f"{BEST}-predicted", f"{BEST}-round-robin", BEST)),
                      f"{best['relative_l2_error']:.3f}", f"{best['cosine']:.4f}"])
    return table(["trace", f"{BASELINE} bits", f"{BEST} bits", "entropy given classes", "gap", f"{BASELINE} x fp32",
                  f"{BEST} x fp32", f"{BEST} x {BASELINE}", "imbalance: equal", "predicted", "round robin", "greedy",
                  "rel. L2 error", "cosine"], lines)


def by_slices(settings):
    """Speed-up over fp32 in the same schedule, by schedule: what slices leave of the worth of balance."""
    chosen = [s for s in settings if (s.engine, s.link) == (settings[0].engine, settings[0].link)]
    wanted = [BASELINE, "asc-balanced", f"{BEST}-equal", f"{BEST}-predicted", BEST]
    heads = [f"{s.issue}, {s.slices}" for s in chosen]
    return table(["method", *heads, *(f"x {BASELINE}: {head}" for head in heads)],
                 [[method, *(f"{geometric(figures(s.of(method), 'speedup.fp32')):.2f}" for s in chosen),
                   *(f"{geometric(figures(s.of(method), f'speedup.{BASELINE}')):.2f}" for s in chosen)]
                  for method in wanted])


def by_baseline(rows, baseline):
    """Speed-up of the best method over one baseline by quantiser, ranks and link, beside its fidelity."""
    links, lines = ordered(rows, LINK), []
    for quantiser in ordered(rows, "quantiser"):
        for ranks in ordered(rows, "ranks"):
            best = where(rows, quantiser=quantiser, ranks=ranks, method=BEST)
            lines.append([f"`{quantiser}`", str(ranks),
                          *(spread(figures(where(best, **{LINK: link}), f"speedup.{baseline}")) for link in links),
                          f"{geometric(figures(best, 'bits_per_value')):.2f}",
                          f"{geometric(figures(best, 'imbalance')):.3f}",
                          f"{geometric(figures(best, 'relative_l2_error')):.3f}", f"{min(figures(best, 'cosine')):.3f}"])
    return table(["quantiser", "ranks", *links, "bits/value", "imbalance", "rel. L2 error", "worst cosine"], lines)


def of_delta_gather(rows):
    """The ablation of whole sums against deltas, for each engine and direction of the all-gather."""
    parts = []
    for gather in ordered(rows, GATHER):
        for setting in Setting.all_of(where(rows, **{GATHER: gather})):
            parts.append(f"### All-gather {gather}, {setting.name}\n\n{ablation(setting)}")
    return "\n".join(parts)


def worth(rows):
    """A line per link, direction of the all-gather and best method, on the engine that limits nothing: bytes, balance, time."""
    lines = []
    engine = rows[0]["engine"]
    for link in ordered(rows, LINK):
        for gather in ordered(rows, GATHER):
            machine = where(rows, **{LINK: link, GATHER: gather}, engine=engine)
            bits = {m: geometric(figures(where(machine, method=m), "bits_per_value")) for m in (BASELINE, BEST, DELTAS)}
            for method in (BEST, DELTAS):
                best = where(machine, method=method)
                likewise = [row["allreduce_ps"] / own["allreduce_ps"]
                            for row, own in zip(where(machine, method=f"{BASELINE}-delta-gather"), best)]
                lines.append([link, gather, method, spread(figures(best, "speedup.fp32")),
                              spread(figures(best, f"speedup.{BASELINE}")), spread(likewise),
                              f"{bits[BASELINE] / bits[method]:.3f}", f"{geometric(figures(best, 'imbalance')):.3f}",
                              f"{100 * geometric([reached(row) for row in best]):.1f} %"])
    return table(["link", "all-gather", "method", "x fp32", f"x {BASELINE}", f"x {BASELINE}-delta-gather",
                  f"{BASELINE}'s bits / its bits", "imbalance", "of 32/(bits x imbalance)"], lines)


def machines(settings, true_rows):
    """(name, rows) of each machine that published factors are compared with: ideal, slow, fast, and at true size."""
    ideal, slow, fast = settings[:3]
    large = where(true_rows, **{LINK: fast.link, GRADIENTS: "fp32"})
    return [(f"{ideal.link}, lanes that limit nothing", ideal.rows), (f"{slow.link}, 64 lanes at 1 GHz", slow.rows),
            (f"{fast.link}, 64 lanes at 1 GHz", fast.rows),
            (f"{fast.link}, 64 lanes at 1 GHz, {TRUE_ELEMENTS:,} values", large)]


def published(settings, step_rows, true_rows):
    """Published factors beside those of these sweeps, by machine."""
    lines = [[what, f"{factor:.2f}", name, spread(figures(where(rows, method=method), f"speedup.{over}")), f"`{method}` / `{over}`"]
             for what, factor, method, over in PUBLISHED for name, rows in machines(settings, true_rows)]
    for overlap, how in ((False, "no overlap"), (True, "AllReduces overlap the backward pass")):
        best = where(step_rows, overlap=overlap, method=BEST)
        exposed = geometric([s["exposed_share"] for s in where(step_rows, overlap=overlap, method="fp32")])
        lines.append([PUBLISHED_STEP[0], f"{PUBLISHED_STEP[1]:.2f}", f"1Gbps, 64 lanes at 1 GHz, {how}",
                      spread(figures(best, "speedup.fp32")),
                      f"`{BEST}` / `fp32`: {100 * exposed:.0f} % of fp32's step is exposed communication"])
    return table(["claim", "published", "machine", "here", "what is compared"], lines)


def at_true_size(true_rows):
    """A line per machine and method at true size: speed-ups, bytes, and what the critical path is made of."""
    lines = []
    for link, form in dict.fromkeys((row[LINK], row[GRADIENTS]) for row in true_rows):
        machine = where(true_rows, **{LINK: link, GRADIENTS: form})
        for row in machine:
            lines.append([link, form, row["method"], f"{row['speedup.fp32']:.2f}", f"{row['speedup.fixed_point']:.2f}",
                          f"{row['bits_per_value']:.3f}", f"{row['imbalance']:.3f}",
                          *(f"{100 * part:.0f} %" for part in causes.shares([row]).values())])
    return table(["link", "gradients in GPU memory", "method", "x fp32", "x fixed_point", "bits/value", "imbalance", *causes.NAMES.values()], lines)


def compared(settings):
    """Which coder is faster, in words: rANS against the best on each engine, and what ASC's start is worth over AAC's."""
    def line(setting, first, second):
        one, two = (mean_of(setting.rows, method, "speedup.fp32") for method in (first, second))
        bits = [mean_of(setting.rows, method, "bits_per_value") for method in (first, second)]
        relation = "is as fast as" if abs(one / two - 1) < 0.005 else "is faster than" if one > two else "is slower than"
        return (f"`{first}` {relation} `{second}`: {one:.2f} against {two:.2f} times as fast as fp32, with {bits[0]:.3f} "
                f"against {bits[1]:.3f} bits a value")
    ideal, slow = settings[:2]
    return f"""* **rANS.** The proposed coder is {BEST}: ASC, classes, adaptation by symbol. On 64 lanes at 1 GHz
  {line(slow, "rans-classes", BEST)}.
  Lanes of rANS share one stream of words, while each lane of the arithmetic coder has lengths and padding of its own and too few values to adapt
  to. With lanes that limit nothing
  {line(ideal, "rans-classes", BEST)}.
* **ASC with adaptation by symbol is AAC with a learnt start**: both move the bounds of a lane's table after each value, and only the table that
  a lane begins with differs. With long lanes
  {line(ideal, "asc-adapt-symbol", "aac-symbol")};
  with 64 short ones, where a start counts,
  {line(slow, "asc-adapt-symbol", "aac-symbol")}."""


def end_to_end(step_rows):
    """A line per method: the step, what is exposed, and whether Amdahl's law tells the speed-up."""
    lines = []
    for overlap in ordered(step_rows, "overlap"):
        for method in ordered(step_rows, "method"):
            rows = where(step_rows, overlap=overlap, method=method)
            lines.append(["yes" if overlap else "no", method, spread(figures(rows, "speedup.fp32")),
                          spread(figures(rows, "amdahl.fp32.allreduce_speedup")),
                          f"{100 * geometric([max(s['exposed_share'], 1e-9) for s in rows]):.1f} %",
                          f"{geometric(figures(rows, 'amdahl.fp32.predicted')):.2f}",
                          f"{max(figures(rows, 'amdahl.fp32.difference'), key=abs) * 100:+.1f} %"])
    return table(["overlap", "method", "step x fp32", "AllReduces x fp32", "exposed", "Amdahl x fp32", "worst off"], lines)
