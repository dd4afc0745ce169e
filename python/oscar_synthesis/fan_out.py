"""Trees of buffers behind registers that drive very many pins.

abc gives them to the nets inside its logic, but not to the outputs of flip-flops, which it takes for inputs that drive
anything. Below MOST_PINS the flow leaves a register as it is: sizes of the cells behind it then cost less than a tree.
"""

from itertools import count

from oscar_summary.command import InputError

from . import liberty

MOST_PINS = 300  # that a register drives itself
PINS = 16  # of a buffer in a tree
MARGIN = 8  # largest load that a buffer may drive, over that of its pins: slow edges cost more than a level


def buffer_of(library):
    """(cell, input, output) of the smallest buffer that drives its pins with the margin; InputError without one."""
    found = []
    for cell in library.used().values():
        inputs = [pin for pin in cell.pins if pin not in cell.functions]
        if cell.flip_flop or len(inputs) != 1 or list(cell.functions.values()) != inputs:
            continue
        [output] = cell.functions
        load = liberty.number(cell.pins[inputs[0]], "capacitance") or 0
        most = liberty.number(cell.pins[output], "max_capacitance") or float("inf")
        if MARGIN * PINS * load <= most:
            found.append((cell.area, cell.name, inputs[0], output))
    if not found:
        raise InputError(f"{library.name}: has no buffer that drives {PINS} of its own pins; allow more of its cells")
    return min(found)[1:]


def sinks(module, library):
    """{bit: [(instance, pin) that it drives]} of a netlist that is mapped."""
    driven = {}
    for name, cell in module["cells"].items():
        functions = library.cells[cell["type"]].functions
        for pin, bits in cell["connections"].items():
            if pin not in functions and bits:
                driven.setdefault(bits[0], []).append((name, pin))
    return driven


def buffered(module, library):
    """The netlist with trees behind its registers, whose instances keep their names."""
    made = module | {
        "cells": {name: cell | {"connections": dict(cell["connections"])} for name, cell in module["cells"].items()}
    }
    cells = made["cells"]
    driven = sinks(made, library)
    pins = [bits for cell in cells.values() for bits in cell["connections"].values()]
    pins += [port["bits"] for port in module["ports"].values()]
    free = count(1 + max((bit for bits in pins for bit in bits if isinstance(bit, int)), default=0))
    for bit in outputs_of_registers(made, library):
        if len(driven.get(bit, [])) > MOST_PINS:
            level = driven[bit]
            while len(level) > PINS:
                level = [
                    add_buffer(cells, buffer_of(library), bit, next(free), level[at : at + PINS])
                    for at in range(0, len(level), PINS)
                ]
    return made


def outputs_of_registers(module, library):
    """The bits that registers drive."""
    kinds = [(cell["connections"], library.cells[cell["type"]]) for cell in module["cells"].values()]
    return [pins[pin][0] for pins, kind in kinds if kind.flip_flop for pin in kind.functions if pins.get(pin)]


def add_buffer(cells, kind, bit, buffered_bit, driven):
    """Puts a buffer between a bit and pins that it drives; returns the buffer's own (instance, pin)."""
    cell, given, gives = kind
    name = f"_tree{buffered_bit}_"
    for instance, pin in driven:
        cells[instance]["connections"][pin] = [buffered_bit]
    cells[name] = {"type": cell, "connections": {given: [bit], gives: [buffered_bit]}}
    return name, given
