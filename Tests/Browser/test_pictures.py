"""Screenshots of the screens and of what lies between them, for people to look at."""

from reader import CENTRE
from steps import CLOSE, RIGHT, WIDE, to_shelf

LEAST_BYTES = 20_000

# Pages whose images are still decoding would be pictures of blank paper.
DECODED = "[...document.querySelectorAll('#stage img')].every(image => image.complete)"


def test_pictures_of_every_screen_and_of_what_lies_between(reader, server, out):
    def picture(name):
        reader.wait_for(f"{DECODED} && document.fonts.status === 'loaded'")
        path = out / f"{reader.name}-{name}.png"
        path.unlink(missing_ok=True)
        reader.screenshot(path)
        assert path.stat().st_size > LEAST_BYTES, f"{path} is all but empty"

    reader.open(server.url)
    picture("collections")
    to_shelf(reader, server.url)
    picture("shelf")
    with reader.settling("book"):
        reader.spread(CENTRE, CLOSE, 4 * CLOSE)
        picture("mid-open")
        reader.move([(CENTRE[0] - WIDE, CENTRE[1]), (CENTRE[0] + WIDE, CENTRE[1])], 10)
        reader.lift()
    picture("open")
    with reader.settling("book"):
        reader.press([RIGHT])
        reader.move([(RIGHT[0] - 420, RIGHT[1])], 20)
        picture("mid-flip")
        reader.lift()
