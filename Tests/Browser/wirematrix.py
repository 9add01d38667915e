"""The entries of a matrix in a frame: their order in a mask, and those that the receiver derives from others."""

import struct

ENTRY_TURN, ENTRY_PERSPECTIVE = 32, 64
M11, M12, M13, M14, M21, M22, M23, M24, M31, M32, M33, M34, M41, M42, M43, M44 = range(16)
MASK = (M11, M13, M41, M43, M22, M31, M33, M21, M23, M12, M42, M14, M24, M34, M32, M44)


def derive(values, flags):
    """Adds the entries of a matrix that the receiver derives from others."""
    rules = []
    if flags & ENTRY_TURN:
        rules += [(M31, M13, 0.0, -1.0), (M33, M11, 0.0, 1.0)]
    if flags & ENTRY_PERSPECTIVE:
        rules += [(to, of, 0.0, -0.0005) for to, of in ((M14, M13), (M24, M23), (M34, M33))]
        rules += [(M44, M43, 1.0, -0.0005)]
    for place, source, unit, factor in rules:
        if source in values and place not in values:
            product = unit + factor * values[source]
            values[place] = struct.unpack("<f", struct.pack("<f", product))[0] + 0.0
