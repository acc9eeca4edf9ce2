"""Computes golden.json with NumPy and SciPy: python3 golden.py > golden.json

The tests of this folder compare the statistics of the benchmark with it. p of pairs is worked out by
trying all sign flips, and the interval by testing centers in steps of 1e-5.
"""

import json

import numpy
from scipy.stats import t

CLIP, LEVELS, STEP = 1.5, 100, 1e-5
random = numpy.random.default_rng(20260101)


def quantiles():
    frames = (random.gamma(40, 125_000, 1200)).astype(int)
    shares = [0.01, 0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99]
    quantiles = [[int(share * 1000), float(numpy.quantile(frames, share))] for share in shares]
    average_fps = 1e9 / float(numpy.mean(frames))
    return frames.tolist(), quantiles, average_fps


def levels(differences, center):
    moved = differences - center
    bound = CLIP * numpy.median(numpy.abs(moved))
    clipped = numpy.clip(moved * LEVELS / bound, -LEVELS, LEVELS) if bound > 0 else 0 * moved
    return numpy.sign(clipped) * numpy.floor(numpy.abs(clipped) + 0.5)


def p(differences, center, flips):
    moved = levels(differences, center)
    return float(numpy.mean(numpy.abs(flips @ moved) >= abs(moved.sum())))


def pairs(count, effect, disturbed):
    differences = effect + 0.008 * random.standard_normal(count)
    differences[:disturbed] += 0.5 * random.choice([-1, 1], disturbed)
    signs = (numpy.arange(2**count)[:, None] >> numpy.arange(count)) & 1
    flips = 1 - 2 * signs
    spread = numpy.ptp(differences)
    centers = numpy.arange(differences.min() - spread, differences.max() + spread, STEP)
    sums = numpy.array([levels(differences, center).sum() for center in centers])
    middle = int(numpy.argmax(sums <= 0))
    ends = []
    for step in (-1, 1):
        place = middle
        while p(differences, centers[place], flips) > 0.05:
            place += step
        ends.append(float(centers[place]))
    return differences.tolist(), p(differences, 0, flips), float(centers[middle]), *ends


def sessions(*times):
    """p and interval of the last time against the first; the times before it are the sessions."""
    logs = numpy.log(times)
    n = len(times) - 2
    squares = float(numpy.sum(numpy.diff(logs[:-1]) ** 2))
    # A spread of 1 % with three degrees of freedom, and that of successive differences.
    degrees = 3 + 2 * n * n / (3 * n - 1)
    error = (2 * (3 * 0.01**2 + squares * n / (3 * n - 1)) / degrees) ** 0.5
    difference = float(logs[-1] - logs[0])
    reach = float(t.ppf(0.975, degrees)) * error
    return times, float(2 * t.sf(abs(difference) / error, degrees)), difference - reach, difference + reach


print(
    json.dumps(
        {
            "quantiles": quantiles(),
            "pairs": [pairs(6, 0.01, 0), pairs(9, 0.0, 1), pairs(11, 0.02, 1), pairs(12, -0.03, 2)],
            "sessions": [sessions(5.0, 5.2), sessions(5.0, 5.1, 4.9), sessions(5.0, 5.1, 4.8, 5.3, 5.0, 6.0)],
        },
        separators=(",", ":"),
    )
)
