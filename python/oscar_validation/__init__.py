"""Agreement of the simulator with formulas, published simulators and real machines."""
