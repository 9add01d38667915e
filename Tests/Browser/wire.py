"""The messages of the protocol, version 7, for clients in Python, as Wire.docc defines them."""

import struct
import types

from wirematrix import MASK, derive

VERSION = 7
SUBPROTOCOL = "lectern.v1"
NOBODY = 0
NO_COLOUR = 255
NO_PAGE = 0xFFFFFFFF


def numbered(names, first):
    """Returns consecutive numbers for names, from the first one on."""
    return {name: first + place for place, name in enumerate(names.split())}


CLIENT = numbered(
    "hello pointers wheel key viewport clock zoom visibility ready jump go arrange lay zoomStep"
    " persona ack point raise wander handover share settings renewLinks endReading showOut grant"
    " record open play",
    0x01,
) | {"bring": 0x1F, "lowerHand": 0x20, "fit": 0x21}
SERVER = numbered(
    "welcome elements snapshot delta batch camera clock error caption cameras role room people"
    " pointer place links sync goodbye playback retired framing pass",
    0x81,
)
SERVER_NAME = {number: name for name, number in SERVER.items()}
# The messages that carry the number of the sender's role.
ACTS = set("pointers wheel key zoom jump go arrange lay zoomStep point".split())
KEY = numbered(
    "ArrowRight ArrowLeft ArrowUp ArrowDown PageUp PageDown Home End Enter Escape f + - 0", 1
)
PHASE = numbered("down move up cancel", 0)
SCREEN = "collections shelf book".split()
KIND = "collection cover page board".split()
STOCK = "paper card board".split()
ROLE = "presenter copresenter follower wanderer".split()
POLICY = numbered("anyoneTurns hostLeads passTheBook", 0)
GRANT = numbered("follow present host", 0)
HANDOVER = numbered("ask withdraw offer accept decline refuse take layDown", 0)
PLAY = numbered("pause play seek close", 0)
POINTER = "gone laser hand".split()
RIGHTS = "mayTurn isHost mayWander catchesUp mayShare mayPoint mayLayDown mayPlay mayLeaveBook".split()
CAPTION = "isFlat waitsForImages findsNothing isBegun cannotOpen isWall isLost".split()
MEMBER_ACTS = "offer lower lead follow remove".split()
BOOK_ACT = "none catchUp takeBack take ask withdraw".split()
TURNER = "none anyone nobody choosing away presenter".split()
PROMPT = "none offered asked choosing wandered outside".split()
CLIENT_SETTINGS = "reducesMotion reportsImages sharesStage".split()
ROOM_STATE = "isShared isRecorded isPlayback isHeld".split()
SETTINGS = "isLocked mayWander sharesShelf".split()
PERSON_STATE = "isHost isRaised asks isAway isHidden lags isOffered isChoosing isAgain".split()

FIELD = {"b": "B", "h": "H", "i": "I", "f": "f", "d": "d"}
IDENTITY = (1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0)
ENTRY_OPACITY, ENTRY_SHADE, ENTRY_Z, ENTRY_HIDDEN, ENTRY_FULL = 1, 2, 4, 8, 16
NEW_HEAD, LAST_HEAD, OTHER_HEAD = range(3)
FORMAT = {
    "hello": "bsssssbfffe", "wheel": "ffffb", "key": "b", "viewport": "fffe", "clock": "d",
    "zoom": "bfff", "visibility": "b", "jump": "i", "go": "sbi", "arrange": "bs", "lay": "b",
    "zoomStep": "fff", "persona": "sb", "ack": "ifff", "raise": "b", "wander": "b", "share": "",
    "settings": "be", "renewLinks": "", "endReading": "", "showOut": "i", "grant": "ib",
    "record": "b", "open": "s", "bring": "s", "lowerHand": "i", "fit": "bffff",
}
WORDS = {
    "clock": ("dd", "clientTime serverTime"),
    "welcome": ("bsidssssi", "version room memberId serverTime resume key reader pass_ numbering"),
    "place": ("sisp", "book page title range"),
    "links": ("ssssf", "follow present host code codeSeconds"),
    "goodbye": ("f", "seconds"),
    "pass": ("s", "pass_"),
    "framing": ("bfp", "pages scale range"),
}


def pack(form, *values):
    """Encodes fields: b, h, i are unsigned with 8, 16, 32 bits, f and d are floats, s is a text.

    e is a set, whose value holds the numbers of its items; n is a varint.
    """
    out = bytearray()
    for letter, value in zip(form, values, strict=True):
        if letter == "s":
            text = value.encode()
            out += struct.pack("<H", len(text)) + text
        elif letter == "e":
            out += bytes([len(value), *value])
        elif letter == "n":
            while value > 127:
                out.append(value % 128 + 128)
                value //= 128
            out.append(value)
        else:
            out += struct.pack("<" + FIELD[letter], value)
    return bytes(out)


def encode(name, *values, role=0):
    """Encodes a message of a client. The values of messages with a variable form are:

    pointers: target, then samples (id, phase, age in s, x, y); ready: ids; point: x, y or nothing;
    handover: an act, and a member for offer and refuse; play: an act, and seconds for seek.
    """
    if name == "pointers":
        target, *samples = values
        body = pack("db", target, len(samples))
        for id, phase, age, x, y in samples:
            body += pack("bbhff", id, PHASE[phase], round(10_000 * age), x, y)
    elif name == "ready":
        body = pack("h" + "n" * len(values), len(values), *values)
    elif name == "point":
        body = pack("bff", 1, *values) if values else b"\0"
    elif name == "handover":
        body = pack("bi"[: len(values)], HANDOVER[values[0]], *values[1:])
    elif name == "play":
        body = pack("bd"[: len(values)], PLAY[values[0]], *values[1:])
    else:
        body = pack(FORMAT[name], *values)
    number = pack("h", role) if name in ACTS else b""
    return bytes([CLIENT[name]]) + number + body


def numbers(names, **items):
    """Returns the numbers of the items in a set, given by their names."""
    return [place for place, name in enumerate(names) if items.get(name)]


class Malformed(Exception):
    """A message of the server violates the protocol."""


class Reader:
    """Reads the fields of one message."""

    def __init__(self, data, offset=1, end=None):
        self._data, self._offset = data, offset
        self._end = len(data) if end is None else end

    def read(self, letter):
        """Reads one field."""
        if letter == "s":
            size = self.read("h")
            start = self._offset
            self.skip(size)
            return self._data[start:self._offset].decode()
        if letter == "p":  # The pages of a spread.
            return {"labels": [self.read("s") for _ in range(self.read("b"))], "total": self.read("s")}
        if letter == "n":
            number, scale = 0, 1
            while (byte := self.read("b")) > 127:
                number += byte % 128 * scale
                scale *= 128
            return number + byte * scale
        form = struct.Struct("<" + FIELD[letter])
        start = self._offset
        self.skip(form.size)
        return form.unpack_from(self._data, start)[0]

    def skip(self, size):
        """Skips a number of bytes."""
        self._offset += size
        if self._offset > self._end:
            raise Malformed(f"{self._data[0]:#x} ends at {self._end} inside of a field")

    def fields(self, form, names):
        """Reads named fields."""
        return {name: self.read(k) for k, name in zip(form, names.split(), strict=True)}

    def set(self, names):
        """Reads a set, and returns whether it has each named item; unknown numbers are ignored."""
        found = {self.read("b") for _ in range(self.read("b"))}
        return {name: place in found for place, name in enumerate(names)}

    def floats(self, count):
        """Reads a number of f32 values."""
        start = self._offset
        self.skip(4 * count)
        return struct.unpack_from(f"<{count}f", self._data, start)

    def part(self, size):
        """Returns a reader of the next bytes."""
        start = self._offset
        self.skip(size)
        return Reader(self._data, start, self._offset)

    def finish(self):
        """Checks that nothing follows."""
        if self._offset != self._end:
            raise Malformed(f"{self._data[0]:#x} has {self._end - self._offset} bytes too many")


def message(type, **fields):
    """Creates a message of the server, whose fields are attributes."""
    return types.SimpleNamespace(type=type, **fields)


def decode(data):
    """Decodes a message of the server."""
    name = SERVER_NAME.get(data[0])
    if name is None:
        raise Malformed(f"{data[0]:#x} is no type")
    reader = Reader(data)
    if name in WORDS:
        answer = message(name, **reader.fields(*WORDS[name]))
    elif name in ("snapshot", "delta"):
        answer = frame_update(name, reader)
    else:
        answer = OTHERS[name](reader)
        answer.type = name
    reader.finish()
    return answer


def frame_update(type, reader):
    """Reads the body of a snapshot or a delta."""
    update = message(type, **reader.fields("idb", "number time state"))
    update.screen, update.settled = update.state >> 1, bool(update.state & 1)
    update.entries, id, last, other = [], 0, (0, 0), (0, 0)
    for _ in many(reader):
        start = reader.read("n")
        code, has_part, distance = start & 3, start & 4, start >> 3
        id += -(distance + 1) // 2 if distance % 2 else distance // 2
        if code == NEW_HEAD:
            last, other = (reader.read("n"), reader.read("b")), last
        elif code == OTHER_HEAD:
            last, other = other, last
        elif code != LAST_HEAD:
            raise Malformed(f"the head of element {id} is {code}")
        part = reader.read("b") if has_part else None
        update.entries.append(entry(reader, id if part is None else (id, part), *last))
    return update


def entry(reader, id, mask, flags):
    """Reads the change of an element: id, entries of the matrix by place, flags, opacity, shade, z."""
    places = [place for bit, place in enumerate(MASK) if mask >> bit & 1]
    values = dict(zip(places, reader.floats(len(places)), strict=True))
    derive(values, flags)
    opacity = reader.read("h") if flags & ENTRY_OPACITY else None
    shade = reader.read("h") if flags & ENTRY_SHADE else None
    z = reader.read("h") if flags & ENTRY_Z else None
    if z is not None and z >= 0x8000:
        z -= 0x10000
    return id, values, flags, opacity, shade, z


def batch(reader):
    """Reads deltas that are sent ahead of their time."""
    frames = []
    for _ in range(reader.read("b")):
        part = reader.part(reader.read("h"))
        frames.append(frame_update("delta", part))
        part.finish()
    return message("batch", frames=frames)


def elements(reader):
    """Reads elements by id."""
    names = "id kind index side stock width height cornerRadius imageURL title author count"
    all = [message("element", **reader.fields("nbibbfffsssi", names)) for _ in many(reader)]
    for one in all:
        one.kind, one.stock = KIND[one.kind], STOCK[one.stock]
    return message("elements", elements=all)


def many(reader):
    """Reads items, whose number is the next field."""
    return range(reader.read("h"))


def caption(reader):
    """Reads a caption: the place of the stage."""
    names = "screen index count heading title author size range book"
    news = message("caption", **reader.fields("biisssips", names))
    vars(news).update(reader.set(CAPTION))
    vars(news).update(reader.fields("ibs", "page order filter"))
    news.spread = [reader.read("n") for _ in range(reader.read("b"))]
    return news


def error(reader):
    """Reads a code, and a message to a person."""
    code, said = reader.read("h"), reader.read("s")
    values = {reader.read("s"): reader.read("s") for _ in range(reader.read("b"))}
    return message("error", code=code, notice={"code": said, "values": values})


def role(reader):
    """Reads a member's role and rights."""
    news = message("role", number=reader.read("h"), role=ROLE[reader.read("b")], **reader.set(RIGHTS))
    news.acts, news.bookAct = reader.set(MEMBER_ACTS), BOOK_ACT[reader.read("b")]
    news.prompt = {"kind": PROMPT[reader.read("b")], "member": reader.read("i")}
    return news


def room(reader):
    """Reads the state of a room."""
    news = message("room", policy=list(POLICY)[reader.read("b")], **reader.set(SETTINGS))
    vars(news).update(reader.set(ROOM_STATE))
    news.presenter, news.delay = reader.read("i"), reader.read("f")
    news.turner = TURNER[reader.read("b")]
    return news


def people(reader):
    """Reads the members that have joined, changed or left."""
    news = message("people", isWhole=bool(reader.read("b")), people=[], gone=[])
    for _ in many(reader):
        id, kind = reader.read("i"), ROLE[reader.read("b")]
        state = reader.set(PERSON_STATE)
        state["acts"] = reader.set(MEMBER_ACTS)
        colour, name = reader.read("b"), reader.read("s")
        news.people.append(
            message("person", id=id, role=kind, colour=colour, name=name, **state)
        )
    news.gone = [reader.read("i") for _ in many(reader)]
    return news


def pointer(reader):
    """Reads a member's pointer."""
    member, kind, is_on_element = reader.read("i"), reader.read("b"), reader.read("b")
    time = reader.read("d")
    element = reader.read("n") if is_on_element else None
    return message(
        "pointer", member=member, kind=POINTER[kind], time=time, element=element,
        x=reader.read("f"), y=reader.read("f"),
    )


def playback(reader):
    """Reads the state of a playback; without fields if it has been closed."""
    state = reader.read("b")
    news = message("playback", isOpen=state > 0, isPlaying=state == 2)
    if state > 0:
        vars(news).update(reader.fields("ddds", "time position length title"))
    return news


OTHERS = {
    "elements": elements,
    "retired": lambda reader: message("retired", ids=[reader.read("n") for _ in many(reader)]),
    "batch": batch,
    "camera": lambda reader: message("camera", matrix=reader.floats(16)),
    "cameras": lambda reader: message(
        "cameras",
        cameras=[(reader.read("d"), reader.floats(16)) for _ in range(reader.read("b"))],
    ),
    "caption": caption,
    "error": error,
    "role": role,
    "room": room,
    "people": people,
    "pointer": pointer,
    "sync": lambda reader: message(
        "sync", members=[reader.fields("iff", "member error roundTrip") for _ in many(reader)]
    ),
    "playback": playback,
}


class Frame:
    """A whole frame: (matrix, opacity, shade, z) by id."""

    __slots__ = ("number", "time", "screen", "settled", "shown")

    def __init__(self, update, shown):
        self.number, self.time = update.number, update.time
        self.screen, self.settled = SCREEN[update.screen], update.settled
        self.shown = shown


def folded(frame, update):
    """Returns the frame that results from an update; None if the update does not follow the frame."""
    is_whole = update.type == "snapshot"
    if not is_whole and (frame is None or update.number != (frame.number + 1) % 2**32):
        return None
    shown = {} if is_whole else dict(frame.shown)
    for id, values, flags, opacity, shade, z in update.entries:
        if flags & ENTRY_HIDDEN:
            del shown[id]
            continue
        is_full = flags & ENTRY_FULL
        if is_whole and not is_full:
            raise Malformed(f"element {id} appears in a snapshot without being full")
        matrix, old_opacity, old_shade, old_z = (IDENTITY, None, None, None) if is_full else shown[id]
        if values:
            matrix = tuple(values.get(place, entry) for place, entry in enumerate(matrix))
        shown[id] = (
            matrix,
            old_opacity if opacity is None else opacity,
            old_shade if shade is None else shade,
            old_z if z is None else z,
        )
    return Frame(update, shown)
