"""How long the exchanges of a step take on the simulated network."""

import re

import oscar_sim

TOLERANCE = 0.01  # a collective is simulated anew where its size is further from a simulated one
_KINDS = {
    "all_gather": "all_gather",
    "reduce_scatter": "reduce_scatter",
    "reduce": "reduce_scatter",
    "broadcast": "broadcast",
    "all_to_all": "all_to_all",
}


class Network:
    """Simulates collectives of so many bytes on one machine, each size once.

    `machine` is an experiment without what is simulated on it: network, collective of an AllReduce, engine. A size
    within TOLERANCE of one that was simulated takes as long as that; `worst_error` is the most by which the times of
    two simulated sizes differ that lie within twice TOLERANCE: about twice what the shortcut can cost. `sampled` counts
    these comparisons, `reused` the times that were another size's.
    """

    def __init__(self, machine, ranks, simulate=oscar_sim.simulate):
        self._machine, self._ranks, self._simulate = machine, ranks, simulate
        self._known = {}  # by carrier: {bytes: seconds}
        self.simulated, self.reused, self.sampled, self.worst_error = 0, 0, 0, 0.0

    def seconds(self, exchanges):
        """Of all exchanges of a step, one after the other."""
        return sum(self._of(e.carrier, _bucket(e, self._ranks)) for e in exchanges if e.padded)

    def _of(self, carrier, size):
        known = self._known.setdefault(carrier, {})
        near = min(known, key=lambda other: abs(other - size), default=None)
        if near is not None and abs(near - size) <= TOLERANCE * size:
            self.reused += near != size
            return known[near]
        known[size] = self.run(carrier, size)
        self.simulated += 1
        if near is not None and abs(near - size) <= 2 * TOLERANCE * size:
            self.sampled += 1
            self.worst_error = max(self.worst_error, abs(known[near] / known[size] - 1))
        return known[size]

    def run(self, carrier, size):
        """Seconds of one collective, simulated."""
        collective = dict(self._machine.get("collective", {"kind": "ring"}))
        if carrier in _KINDS:
            collective = {"kind": _KINDS[carrier]}
        sizes = {"size": f"{size}B"}
        if carrier == "shift":  # each rank to the next
            to_next = [{"from": r, "to": (r + 1) % self._ranks, "bytes": f"{size}B"} for r in range(self._ranks)]
            collective, sizes = {"kind": "flows", "flows": to_next}, {}
        report = self._simulate(
            {
                **self._machine,
                **sizes,
                "payload": "synthetic",
                "ranks": self._ranks,
                "collective": collective,
                "methods": ["fp32"],
            }
        )
        return report["methods"][0]["allreduce_ps"] * 1e-12


def _bucket(exchange, ranks):
    """Bytes of the vector that the collective is about: what all gather is of all ranks' parts. Whole fp32 words, at
    least one a rank, as NICs move them."""
    size = exchange.padded * (ranks if exchange.carrier == "all_gather" else 1)
    return max(-(-size // 4), ranks) * 4


def find_problem(settings, simulate=oscar_sim.simulate):
    """What is wrong with the machine of the settings, in one line, or None. It takes an AllReduce of a word a rank."""
    try:
        Network(settings.machine, settings.ranks, simulate).run("all_reduce", 4 * settings.ranks)
    except (TypeError, ValueError, oscar_sim.SimulationError) as error:
        return words_of(error)
    return None


def words_of(error):
    """What an error of oscar_sim says, without the place in a configuration that the user never wrote."""
    return re.sub(r"^(oscar-sim: )?[^ ]*:\d+:\d+: ", "", str(error))
