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


def mesh_ring_cycles(n, elements):
    """BookSim2-based ring embedded in a mesh: m packets of 8192 bytes a step, of 357.25 cycles each."""
    return 2 * (n - 1) * (357.25 * (4 * elements / (8192 * n)) + 12.5) + 21


def mesh_ring_flits(n, elements):
    """17 flits a packet."""
    return 2 * (n - 1) * (4 * elements // 8192) * 17
