"""The harmonic sums, one module per arithmetic behind one interface."""
