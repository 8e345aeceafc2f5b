"""Pictures of sweeps as SVG, written by us: lines, maps, and what can be had at the price of what."""
