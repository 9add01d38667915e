"""What a screen has shown when, and how far apart in time two screens were."""

from timing import PERIOD

GRID = 0.001


def vsyncs(began, ended, phase):
    """Returns the times at which a screen with its own phase shows something new."""
    return [began + phase + k * PERIOD for k in range(round((ended - began) / PERIOD))]


def steps(instants, frames):
    """Returns what a screen has shown, as (since, frame time, whether it is at rest)."""
    return [
        (at, frame.time, frame.settled)
        for at, frame in zip(instants, frames, strict=True) if frame
    ]


def apart(one, other, began, ended):
    """Returns the distance in time between two screens, at each millisecond while either moved."""
    places, differences = [0, 0], []
    for step in range(round((ended - began) / GRID)):
        instant, now = began + step * GRID, []
        for side, seen in enumerate((one, other)):
            while places[side] + 1 < len(seen) and seen[places[side] + 1][0] <= instant:
                places[side] += 1
            now.append(seen[places[side]])
        if now[0][2] and now[1][2] and now[0][1] == now[1][1]:
            continue
        differences.append(abs(now[0][1] - now[1][1]))
    return differences


def apart_when_drawn(one, other):
    """Returns the distance between two screens whenever both had just drawn, which excludes their own gaps."""
    differences, place = [], 0
    for at, when, settled in one:
        while place + 1 < len(other) and abs(other[place + 1][0] - at) <= abs(other[place][0] - at):
            place += 1
        since, then, is_over = other[place]
        if abs(since - at) < PERIOD / 2 and not (settled and is_over and when == then):
            differences.append(abs(when - then))
    return differences
