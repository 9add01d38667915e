"""The Python client's encoding, tested with the vectors that also test Swift and the page."""

import json
import pathlib

import pytest

import wire

VECTORS = json.loads(
    (pathlib.Path(__file__).parents[1] / "WireTests" / "Vectors" / "wire.json").read_text()
)
PHASES = list(wire.PHASE)
# The fields of the messages that are plain sequences of fields, in the order of the wire.
PLAIN = {
    "clock": "clientTime", "ack": "frame lateness syncError roundTrip", "persona": "name colour",
    "zoom": "phase scale x y", "key": "key", "jump": "page", "arrange": "order filter",
    "lay": "pose", "zoomStep": "factor x y", "showOut": "member", "grant": "member grant",
    "bring": "book", "lowerHand": "member", "fit": "span left top right bottom",
    "open": "recording", "raise": "isOn", "wander": "isOn", "record": "isOn",
    "visibility": "visible", "wheel": "dx dy x y ctrl", "share": "", "renewLinks": "",
    "endReading": "",
}


def values_of(told):
    """Returns the arguments of `encode` for a message of the vectors."""
    kind = told["type"]
    if kind in PLAIN:
        return [told[name] for name in PLAIN[kind].split()]
    if kind == "hello":
        settings = wire.numbers(
            wire.CLIENT_SETTINGS, reducesMotion=told["reducedMotion"], reportsImages=told["reportsImages"],
            sharesStage=told["sharesStage"],
        )
        words = [told[name] for name in "room key resume reader name colour".split()]
        return [wire.VERSION, *words, told["width"], told["height"], told["pixelRatio"], settings]
    if kind == "viewport":
        settings = wire.numbers(wire.CLIENT_SETTINGS, reducesMotion=told["reducedMotion"])
        return [told["width"], told["height"], told["pixelRatio"], settings]
    if kind == "settings":
        return [told["policy"], wire.numbers(wire.SETTINGS, **told)]
    if kind == "pointers":
        samples = [
            (one["id"], PHASES[one["phase"]], one["age"], one["x"], one["y"])
            for one in told["samples"]
        ]
        return [told["target"], *samples]
    if kind == "go":
        return [told["book"], told["opens"], told.get("page", wire.NO_PAGE)]
    if kind == "ready":
        return told["elements"]
    names = {"point": "x y", "handover": "act member", "play": "act seconds"}[kind].split()
    return [told[name] for name in names if name in told]


@pytest.mark.parametrize("vector", VECTORS["client"], ids=lambda vector: vector["name"])
def test_encoded_messages_equal_the_vectors(vector):
    told = vector["message"]
    said = wire.encode(told["type"], *values_of(told), role=told.get("role", 0))
    assert said.hex() == vector["hex"]


@pytest.mark.parametrize("vector", VECTORS["server"], ids=lambda vector: vector["name"])
def test_decoded_messages_equal_the_vectors(vector):
    told, heard = vector["message"], wire.decode(bytes.fromhex(vector["hex"]))
    assert heard.type == told["type"]
    names = "time number member x delay memberId title range notice size acts prompt turner"
    for name in set(told) & set(names.split()):
        if hasattr(heard, name):
            assert getattr(heard, name) == told[name], name
    for name in {"elements", "frames", "cameras", "people", "members"} & set(told):
        assert len(getattr(heard, name)) == len(told[name])


def test_decoded_elements_state_their_paper_stock():
    vector = next(vector for vector in VECTORS["server"] if vector["name"] == "elements")
    heard = wire.decode(bytes.fromhex(vector["hex"])).elements
    told = vector["message"]["elements"]
    assert [wire.STOCK.index(one.stock) for one in heard] == [one["stock"] for one in told]
    assert [one.stock for one in heard] == ["card", "board"]


@pytest.mark.parametrize("chain", ["chain", "derived"])
def test_applied_frames_equal_the_vectors(chain):
    shown = {}
    frame = None
    for step in VECTORS[chain]:
        heard = wire.decode(bytes.fromhex(step["hex"]))
        for update in heard.frames if heard.type == "batch" else [heard]:
            frame = wire.folded(frame, update)
        shown = {
            id: {"id": id, "m": list(matrix), "opacity": opacity, "shade": shade, "z": z}
            for id, (matrix, opacity, shade, z) in frame.shown.items()
        }
        assert shown == {one["id"]: one for one in step["shown"]}
