"""Closed forms of collectives: times in ns, of n ranks with S bytes each, a step latency of `alpha` ns and `rate` bytes
per ns on each link. Source: Thakur, Rabenseifner and Gropp, IJHPCA 2005; Sanders, Speck and Traeff, Parallel Computing
2009 (double binary tree).
"""

import math


def ring(n, S, alpha, rate):
    return 2 * (n - 1) * alpha + 2 * (n - 1) / n * S / rate


def halving_doubling(n, S, alpha, rate):
    return 2 * math.log2(n) * alpha + 2 * (n - 1) / n * S / rate


def direct(n, S, alpha, rate):
    return 2 * alpha + 2 * (n - 1) / n * S / rate


def ring_2d(rows, columns, S, alpha, rate):
    """Rings of `columns` ranks along each row, then of `rows` along each column."""
    a, b = columns, rows
    return 2 * (a - 1 + b - 1) * alpha + (2 * (a - 1) / a + 2 * (b - 1) / (a * b)) * S / rate


def double_binary_tree(n, S, alpha, rate):
    """Pipelined: what the first piece waits, and the bytes twice."""
    return 2 * math.log2(n) * alpha + 2 * S / rate


def hierarchical(n, island, S, alpha, rate):
    """Direct in islands, a ring across them."""
    g, m = island, n // island
    return 2 * m * alpha + (2 * (g - 1) / g + 2 * (m - 1) / n) * S / rate


def bidirectional_ring(n, S, alpha, rate):
    """On cables to both sides, half of the bytes on each ring."""
    return ring(n, S / 2, alpha, rate)


def one_phase(n, S, alpha, rate):
    """Reduce-scatter or all-gather on a ring."""
    return ring(n, S, alpha, rate) / 2


def all_to_all(n, S, alpha, rate):
    """Of S bytes at each rank a block to each other one, in one timestep."""
    return alpha + (n - 1) / n * S / rate


def binomial_broadcast(n, S, alpha, rate):
    return math.ceil(math.log2(n)) * (alpha + S / rate)


def chain_broadcast(n, S, slices, alpha, rate):
    """Pipelined: timesteps of a slice each."""
    return (n - 1 + slices - 1) * (alpha + S / slices / rate)


def late_cable(n, S, alpha, rate, late):
    """A ring of which one cable takes `late` longer: a sum and its way back pass it at most twice."""
    return ring(n, S, alpha, rate) + 2 * late


def late_cable_in_lock_step(n, S, alpha, rate, late):
    """Everyone waits for it in each timestep."""
    return ring(n, S, alpha + late, rate)


def slow_cable(n, S, alpha, rate):
    """A ring of which one cable has this rate, and never waits for the others: alpha of the last step alone."""
    return alpha + 2 * (n - 1) / n * S / rate


def straggler(n, S, alpha, rate, late):
    """A transfer from each rank to the next, of which one begins late."""
    return alpha + S / rate + late


def oversubscribed(S, ratio, alpha, rate):
    """A permutation of which `ratio` transfers share each link."""
    return alpha + ratio * S / rate


def incast(n, S, alpha, rate):
    """S bytes from each of n - 1 ranks over the last link."""
    return alpha + (n - 1) * S / rate


def mesh_ring_cycles(n, elements):
    """BookSim2-based ring embedded in a mesh: m packets of 8192 bytes a step, of 357.25 cycles each."""
    return 2 * (n - 1) * (357.25 * (4 * elements / (8192 * n)) + 12.5) + 21


def mesh_ring_flits(n, elements):
    """17 flits a packet."""
    return 2 * (n - 1) * (4 * elements // 8192) * 17
