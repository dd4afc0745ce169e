"""What scripts/synthesise does: RTL mapped to standard cells, timed, and its power from the activity of a simulation.

liberty.py reads a library, units.py what is to be synthesised, flow.py runs yosys and OpenSTA, netlist.py reads and
simulates what comes out, vcd.py reads a recorded simulation, technology.py derates and scales, record.py keeps figures.
"""
