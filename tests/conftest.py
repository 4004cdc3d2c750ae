"""Hypothesis profiles: more examples in CI; no deadline, which reads as flakiness in numerics."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("local", deadline=None, max_examples=60)
settings.register_profile(
    "ci", deadline=None, max_examples=400, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci" if os.environ.get("CI") else "local")
