"""A mapped netlist as yosys writes it in JSON: what it has, and what it does cycle by cycle.

The simulation is of two values and without delays: each net takes its final value of a cycle at once, so glitches are
not counted. All registers of the RTL begin with 0, whatever a flip-flop with an inverse output holds then.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from oscar_summary.command import InputError

from . import logic

GENERATED = re.compile(r"_r?\d+_$")


def registers(module):
    """{flip-flop: name in the RTL of what it holds} of a netlist that is not mapped yet, whose instances keep their
    names."""
    names = {}
    for name, net in module["netnames"].items():
        if not GENERATED.match(name):
            for place, bit in enumerate(net["bits"]):
                names.setdefault(bit, f"{name}[{place}]" if len(net["bits"]) > 1 else name)
    held = {name: cell["connections"]["Q"][0] for name, cell in module["cells"].items() if "DFF" in cell["type"]}
    return {name: names[bit] for name, bit in held.items() if bit in names}


@dataclass
class Netlist:
    module: dict  # of the JSON
    library: object
    clock: str = "clk"

    def __post_init__(self):
        for name, cell in self.module["cells"].items():
            if cell["type"] not in self.library.cells:
                kind = "a latch" if "LATCH" in cell["type"] else "no cell of the library"
                raise InputError(f"{self.library.name}: {cell['type']} of {name} is {kind}; see the RTL")

    @cached_property
    def instances(self):
        """{name: (cell of the library, {pin: bit})}; a bit is a number, "0", "1" or "x"."""
        return {
            name: (
                self.library.cells[cell["type"]],
                {pin: bits[0] for pin, bits in cell["connections"].items() if bits},
            )
            for name, cell in self.module["cells"].items()
        }

    @cached_property
    def flip_flops(self):
        return {name: found for name, found in self.instances.items() if found[0].flip_flop}

    def area(self):
        """(sequential, combinational) in um2."""
        sequential = sum(cell.area for cell, _ in self.flip_flops.values())
        return sequential, sum(cell.area for cell, _ in self.instances.values()) - sequential

    def ports(self, direction):
        """{name: bits} from the least significant on."""
        found = {name: port["bits"] for name, port in self.module["ports"].items() if port["direction"] == direction}
        return {name: bits for name, bits in found.items() if name != self.clock}

    def verilog(self):
        """The netlist for OpenSTA, whose reader knows no concatenation on the left: nets by bit, instances as they are
        named here."""
        ports = {name: (port["direction"], port["bits"]) for name, port in self.module["ports"].items()}
        lines = [f"module unit ({', '.join(ports)});"]
        nets = {"0": "1'b0", "1": "1'b1", "x": "1'b0", "z": "1'b0"}
        for name, (direction, bits) in ports.items():
            lines.append(f"  {direction} {f'[{len(bits) - 1}:0] ' if len(bits) > 1 else ''}{name};")
            if direction == "input":
                nets |= {bit: f"{name}[{at}]" if len(bits) > 1 else name for at, bit in enumerate(bits)}
        used = {bit for _, pins in self.instances.values() for bit in pins.values()} - set(nets)
        nets |= {bit: f"n{bit}" for bit in used}
        lines += [f"  wire n{bit};" for bit in sorted(used)]
        for name, (cell, pins) in self.instances.items():
            connected = ", ".join(f".{pin}({nets[bit]})" for pin, bit in pins.items())
            lines.append(f"  {cell.name} {name} ({connected});")
        for name, (direction, bits) in ports.items():
            if direction == "output":
                for at, bit in enumerate(bits):
                    lines.append(f"  assign {f'{name}[{at}]' if len(bits) > 1 else name} = {nets[bit]};")
        return "\n".join([*lines, "endmodule", ""])

    def simulator(self):
        return Simulator(self)


class Simulator:
    """Evaluates a netlist as straight-line Python: one function for the nets, one for the next state."""

    def __init__(self, netlist):
        self.netlist = netlist
        self.inputs = netlist.ports("input")
        given = [bit for bits in self.inputs.values() for bit in bits]
        clock = netlist.module["ports"].get(netlist.clock, {"bits": [None]})["bits"][0]
        self.state, drivers, nexts = [], {}, []
        for cell, pins in netlist.instances.values():
            renamed = {pin: self.net(bit) for pin, bit in pins.items()}
            if cell.flip_flop:
                kept = f"q{len(self.state)}"
                self.state.append(logic.compiled(cell.flip_flop["next_state"], cell.pins)(*[0] * len(cell.pins)))
                renamed[cell.flip_flop["state"]], renamed[cell.flip_flop["inverse"]] = kept, f"(1 ^ {kept})"
                nexts.append(self.next_state(cell.flip_flop, renamed))
            for pin, function in cell.functions.items():
                if pin in pins:
                    on = [pins[name] for name in logic.names(function) if name in pins]
                    drivers[pins[pin]] = (logic.python(function, renamed), [] if cell.flip_flop else on)
        self.order = self.sorted(drivers, {*given, clock})
        self.nets = [*given, *self.order]
        kept = ", ".join(f"q{i}" for i in range(len(self.state)))
        taken = ", ".join(self.net(bit) for bit in given)
        lines = [f"    {self.net(bit)} = {drivers[bit][0]}" for bit in self.order]
        body = [
            "def cycle(inputs, state):",
            *([f"    ({taken},) = inputs"] if given else []),
            *([f"    ({kept},) = state"] if kept else []),
            *lines,
            f"    return ({' '.join(self.net(bit) + ',' for bit in self.nets)}), ({' '.join(n + ',' for n in nexts)})",
        ]
        scope = {}
        exec(compile("\n".join(body), "netlist", "exec"), scope)  # of names and operators made here
        self.cycle = scope["cycle"]

    @staticmethod
    def net(bit):
        return f"n{bit}" if isinstance(bit, int) else "1" if bit == "1" else "0"

    @staticmethod
    def next_state(flip_flop, renamed):
        made = logic.python(flip_flop["next_state"], renamed)
        if flip_flop["clear"]:
            made = f"({made} & (1 ^ {logic.python(flip_flop['clear'], renamed)}))"
        if flip_flop["preset"]:
            made = f"({made} | {logic.python(flip_flop['preset'], renamed)})"
        return made

    @staticmethod
    def sorted(drivers, known):
        """The driven bits, each behind those that it depends on."""
        known, order, stack = set(known), [], list(drivers)
        entered = set()
        while stack:
            bit = stack[-1]
            if bit in known or bit not in drivers:
                stack.pop()
                continue
            missing = [on for on in drivers[bit][1] if on not in known and on in drivers]
            if not missing:
                known.add(bit)
                order.append(bit)
                stack.pop()
            elif bit in entered:
                raise InputError("the netlist has a combinational loop")
            else:
                entered.add(bit)
                stack.extend(missing)
        return order

    def run(self, cycles):
        """Feeds inputs, a mapping of ports to numbers for each cycle. Gives ({bit: (toggles a cycle, share of 1)},
        [{output: number} for each cycle])."""
        state, outputs, toggles = tuple(self.state), [], Toggles(len(self.nets))
        place = {bit: at for at, bit in enumerate(self.nets)}
        ports = self.netlist.ports("output")
        for values in cycles:
            given = [values[name] >> at & 1 for name, bits in self.inputs.items() for at in range(len(bits))]
            nets, state = self.cycle(given, state)
            toggles.add(bytes(nets))
            outputs.append({name: self.number(bits, nets, place) for name, bits in ports.items()})
        return dict(zip(self.nets, toggles.rates())), outputs

    @staticmethod
    def number(bits, nets, place):
        return sum((nets[place[bit]] if bit in place else int(bit == "1")) << at for at, bit in enumerate(bits))


class Toggles:
    """Counts changes and ones of each net, in portions of cycles."""

    PORTION = 256

    def __init__(self, nets):
        import numpy

        self.numpy, self.nets, self.rows, self.cycles = numpy, nets, [], 0
        self.changes, self.ones = (numpy.zeros(nets, dtype=numpy.int64) for _ in range(2))

    def add(self, values):
        self.rows.append(values)
        self.cycles += 1
        if len(self.rows) > self.PORTION:
            self.count()

    def count(self):
        """Counts all rows but the last, which is the first of the next portion."""
        values = self.numpy.frombuffer(b"".join(self.rows), dtype=self.numpy.uint8).reshape(len(self.rows), self.nets)
        self.changes += (values[1:] ^ values[:-1]).sum(axis=0, dtype=self.numpy.int64)
        self.ones += values[:-1].sum(axis=0, dtype=self.numpy.int64)
        self.rows = self.rows[-1:]

    def rates(self):
        """[(changes a cycle, share of ones)] of each net."""
        self.count()
        steps = max(1, self.cycles - 1)
        return list(zip((self.changes / steps).tolist(), (self.ones / steps).tolist()))
