"""Figures of sweeps, from DIR/points.sqlite, DIR/methods.csv or DIR/points.csv."""
