"""yosys and OpenSTA, and what they find of one variant with one library."""

import json
import re
import shutil
import subprocess
from pathlib import Path

from oscar_summary.command import InputError

from . import fan_out, vcd
from .netlist import Netlist, registers

PACKAGES = {"yosys": "yosys", "sta": "opensta"}
# For speed: {D} is the required time, which no circuit meets.
ABC = "+strash;ifraig;scorr;dc2;dch,-f;map,-B,0.9,{D};topo;buffer,-c;upsize,{D};dnsize,{D};stime,-p"
PERIOD_PS = 10_000  # of the clock of the power; an energy a cycle does not depend on it
MOST_CYCLES = 1024  # of a recorded simulation


def versions():
    """{"yosys", "opensta"}; InputError where one is missing."""
    for program, package in PACKAGES.items():
        if not shutil.which(program):
            raise InputError(f"there is no {program}: apt-get install {package} (or scripts/setup rtl-packages.txt)")
    yosys = subprocess.run(["yosys", "-V"], capture_output=True, text=True, check=True).stdout.split()[1]
    sta = subprocess.run(["sta", "-version"], capture_output=True, text=True, check=True).stdout.strip()
    return {"yosys": yosys, "opensta": sta}


def run(command, folder, what):
    """The output of a program; InputError with its last words if it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    text = done.stdout + done.stderr
    errors = [line for line in text.splitlines() if re.match(r"\S*\s*(ERROR|Error)\b|.*: ERROR", line)]
    if done.returncode or errors:
        said = errors[0] if errors else (text.strip().splitlines() or [f"status {done.returncode}"])[-1]
        raise InputError(f"{what}: {command[0]} says: {said}")
    return done.stdout


def yosys_script(variant, library):
    values = [
        f"{name} {value}" if isinstance(value, int) else f'{name} "{value}"' for name, value in variant.parameters
    ]
    set_parameters = f"chparam {' '.join('-set ' + value for value in values)} {variant.module}" if values else ""
    return f"""read_verilog -sv {' '.join(str(file) for file in variant.files)}
{set_parameters}
hierarchy -check -top {variant.module}
rename -top unit
synth -flatten -noabc -top unit
check -assert
setattr -unset init w:*
rename -enumerate -pattern _r%_
write_json registers.json
dfflibmap -liberty {library}
opt -purge
abc -liberty {library} -D 1 -script {ABC}
opt_clean -purge
rename -enumerate
write_json unit.json
"""


def sta_script(library, ports):
    """Both timings; `ports`: whether there is an input or output beside the clock."""
    outside = "set_input_delay 0 -clock clk $inputs\nset_output_delay 0 -clock clk [all_outputs]" if ports else ""
    return f"""read_liberty {library}
read_verilog unit.v
link_design unit
set_cmd_units -time ps -capacitance fF -power W
create_clock -name clk -period {PERIOD_PS} [get_ports clk]
puts "== registers"
report_checks -path_delay max -from [all_registers -clock_pins] -to [all_registers -data_pins] -digits 6
set inputs {{}}
foreach port [all_inputs] {{ if {{[get_property $port full_name] ne "clk"}} {{ lappend inputs $port }} }}
{outside}
puts "== ports"
report_checks -path_delay max -digits 6
set_power_activity -global -activity 0
puts "== idle"
report_power -instances [get_cells *] -digits 9
set_power_activity -global -activity 1
puts "== busy"
report_power -instances [get_cells *] -digits 9
"""


PATH_LINE = re.compile(r"^\s*[\d.-]+\s+[\d.-]+ [v^] (\S+)/(\S+) \((\S+)\)$", re.MULTILINE)


def path(text):
    """{"period_ps", "start", "end", "instances"} of the path in a report of checks, or None where there is none."""
    slack = re.search(r"(-?[\d.]+)\s+slack", text)
    if not slack:
        return None
    ends = re.search(r"Startpoint: (\S+).*?Endpoint: (\S+)", text, re.DOTALL)
    arrival = text[: text.index("data arrival time")]
    instances = list(dict.fromkeys(found[0] for found in PATH_LINE.findall(arrival)))
    return {
        "period_ps": PERIOD_PS - float(slack[1]),
        "start": ends[1],
        "end": ends[2],
        "instances": instances,
    }


POWER_LINE = re.compile(r"^\s*(\S+)\s+(\S+)\s+(\S+)\s+\S+\s+(\S+)$", re.MULTILINE)


def instance_energies(idle, busy):
    """{instance: (internal energy of an idle cycle, of a cycle in which every pin changes once, switching energy of
    that)} in pJ, and the leakage of all in uW. OpenSTA of 2019 would propagate activities of pins itself, which
    counts a sum of XORs many times; so only reports of one activity at all pins are taken."""
    idle, busy = (
        {
            found[4]: tuple(float(found[i]) for i in (1, 2, 3))
            for found in POWER_LINE.finditer(text)
            if is_number(found[1])
        }
        for text in (idle, busy)
    )
    energies = {
        name: (idle[name][0] * PERIOD_PS, busy[name][0] * PERIOD_PS, busy[name][1] * PERIOD_PS) for name in busy
    }
    return energies, sum(leakage for _, _, leakage in busy.values()) * 1e6


def is_number(text):
    return re.fullmatch(r"[\d.]+e[+-]\d+", text) is not None


def energy(netlist, energies, activity):
    """Of a cycle in pJ. `activity`: transitions a cycle of each bit, or of all. Internal and switching energy follow
    the transitions of a cell's outputs; a flip-flop has its clock's beside them."""
    total = 0.0
    for name, (cell, pins) in netlist.instances.items():
        idle, busy, switching = energies[name]
        if isinstance(activity, float):
            rate = activity
        else:
            outputs = [activity.get(pins[pin], (0, 0))[0] for pin in cell.functions if pin in pins]
            rate = sum(outputs) / max(1, len(outputs))
        total += idle + (busy - idle + switching) * rate
    return total


def replayed(variant, netlist, folder):
    """The activity of a recorded simulation, replayed on the netlist, and its cycles. InputError if the netlist does
    something else than the RTL did."""
    file = Path(folder) / f"{variant.activity}.vcd"
    ports = {name: len(bits) for way in ("input", "output") for name, bits in netlist.ports(way).items()}
    recorded = vcd.cycles(file, ports, netlist.clock, MOST_CYCLES)
    if len(recorded) < 2:
        raise InputError(f"{file}: fewer than two rising edges of {netlist.clock}")
    activity, outputs = netlist.simulator().run(recorded)
    # Before its reset a unit promises nothing: states may have other codes in the netlist.
    begin = next((cycle for cycle, said in enumerate(recorded) if not said.get("rst")), len(recorded))
    for cycle, (said, found) in list(enumerate(zip(recorded, outputs)))[begin:]:
        wrong = [name for name, value in found.items() if said[name] != value]
        if wrong:
            raise InputError(f"{file}: in cycle {cycle} {wrong[0]} differs between RTL and netlist of {variant.name}")
    return activity, len(recorded)


def synthesised(variant, library, library_file, folder, activity_folder, vectorless):
    """The figures of a variant as a mapping; files are left in `folder`. `vectorless`: the activity where there is no
    recorded simulation."""
    what = f"{variant.unit} {variant.name}, {library.name}"
    (folder / "unit.ys").write_text(yosys_script(variant, library_file), encoding="utf-8")
    run(["yosys", "-q", "unit.ys"], folder, what)
    module = json.loads((folder / "unit.json").read_text(encoding="utf-8"))["modules"]["unit"]
    netlist = Netlist(fan_out.buffered(Netlist(module, library).module, library), library)
    unmapped = json.loads((folder / "registers.json").read_text(encoding="utf-8"))["modules"]["unit"]
    if activity_folder and variant.activity and (Path(activity_folder) / f"{variant.activity}.vcd").is_file():
        activity, cycles = replayed(variant, netlist, activity_folder)
    else:
        activity, cycles = vectorless, 0
    (folder / "unit.v").write_text(netlist.verilog(), encoding="utf-8")
    has_ports = bool(netlist.ports("input") or netlist.ports("output"))
    (folder / "unit.tcl").write_text(sta_script(library_file, has_ports), encoding="utf-8")
    report = run(["sta", "-exit", "-no_splash", "unit.tcl"], folder, what)
    _, between, ports, idle, busy = re.split(r"^== \w+$", report, flags=re.MULTILINE)
    names = registers(unmapped)
    energies, leakage = instance_energies(idle, busy)
    powers = energy(netlist, energies, activity), leakage
    return figures(netlist, names, path(between), path(ports), powers) | {"activity_cycles": cycles}


def figures(netlist, names, between, slowest, powers):
    """`between`: the slowest path between two registers; `slowest`: of all, those from and to ports among them."""
    sequential, combinational = netlist.area()
    gate = netlist.library.gate_area
    slowest = slowest or between
    levels = slowest and sum(name not in netlist.flip_flops for name in slowest["instances"])
    start, end = (names.get(slowest[key], slowest[key]) if slowest else "" for key in ("start", "end"))
    return {
        "cells": len(netlist.instances),
        "flip_flops": len(netlist.flip_flops),
        "area_sequential_um2": sequential,
        "area_combinational_um2": combinational,
        "area_um2": sequential + combinational,
        "gates": (sequential + combinational) / gate if gate else None,
        "period_ps": slowest["period_ps"] if slowest else None,
        "period_registers_ps": between["period_ps"] if between else None,
        "levels": levels,
        "path_start": start,
        "path_end": end,
        "energy_pj_per_cycle": powers[0],
        "leakage_uw": powers[1],
    }
