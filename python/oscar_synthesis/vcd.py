"""The ports of a module in a recorded simulation (VCD): their values at each rising edge of the clock."""

from oscar_summary.command import InputError


def cycles(file, ports, clock="clk", most=None):
    """[{port: number}] as they are just before each rising edge, of the ports of the outermost scope that has them;
    `ports`: {name: width}; InputError if one is missing."""
    if not file.is_file():
        raise InputError(f"{file}: no such recorded simulation; docs/rtl.md says how it is made")
    with file.open(encoding="ascii", errors="replace") as opened:
        lines = Counted(opened)
        try:
            codes = header(file, lines, {**ports, clock: 1})
            return samples(lines, codes, clock, most)
        except (IndexError, ValueError):
            raise InputError(
                f"{file}:{lines.number}: is no line of a recorded simulation (VCD); record it anew"
            ) from None


class Counted:
    """Lines, and the number of the last."""

    def __init__(self, lines):
        self.lines, self.number = lines, 0

    def __iter__(self):
        return self

    def __next__(self):
        line = next(self.lines)
        self.number += 1
        return line


def header(file, lines, ports):
    """{identifier: [ports]} of the first scope that has all of them."""
    scopes, open_ones = [], []
    for line in lines:
        words = line.split()
        if not words:
            continue
        if words[0] == "$scope":
            scopes.append({})
            open_ones.append(scopes[-1])
        elif words[0] == "$upscope":
            open_ones.pop()
        elif words[0] == "$var" and open_ones:
            open_ones[-1][words[4].split("[")[0]] = (words[3], int(words[2]))
        elif words[0] == "$enddefinitions":
            break
    for scope in scopes:
        if all(scope.get(name, (None, 0))[1] == width for name, width in ports.items()):
            codes = {}
            for name in ports:
                codes.setdefault(scope[name][0], []).append(name)
            return codes
    best = max(scopes, key=lambda scope: sum(name in scope for name in ports), default={})
    missing = [n for n, width in ports.items() if best.get(n, (None, 0))[1] != width] or ["all"]
    raise InputError(f"{file}: is of another module or other parameters: port {missing[0]} is not there in that width")


def samples(lines, codes, clock, most):
    values = {name: 0 for names in codes.values() for name in names}
    found, changed = [], {}

    def moment():
        """At the end of a point of time: what was before it counts where the clock rises."""
        if changed.get(clock) == 1 and values[clock] == 0:
            found.append({name: value for name, value in values.items() if name != clock})
        values.update(changed)
        changed.clear()

    for line in lines:
        first = line[:1]
        if first == "#":
            moment()
            if most and len(found) >= most:
                return found
        elif first in "bB":
            number, code = line[1:].split()
            for name in codes.get(code, ()):
                changed[name] = int(number.lower().replace("x", "0").replace("z", "0"), 2)
        elif first in "01xXzZ" and first:
            for name in codes.get(line[1:].strip(), ()):
                changed[name] = int(first == "1")
    moment()
    return found
