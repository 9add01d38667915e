"""Measurements of what a browser draws on the shelf: books that open and close, and the carousel."""

from figures.drawing import FRAMES, SWINGING, stage_width

TURNS = 2  # openings and closings that are measured
STEPS = 8  # books that the carousel passes


def moving_frames(reader, key, screen):
    """Presses a key, and returns the animation frames until the stage rests on a screen."""
    frames = f"""(async () => {{
      const until = async () => {{
        const all = []
        await new Promise((done) => {{
          const tick = (now) => {{
            all.push([now, __lectern.frame])
            if (all.length > 5 && __lectern.isReady && __lectern.screen === '{screen}') done()
            else requestAnimationFrame(tick)
          }}
          requestAnimationFrame(tick)
        }})
        return all
      }}
      const found = until()
      __lectern.app.press('{key}')
      return await found
    }})()"""
    reader.wait_for("__lectern.isReady")
    return reader.evaluate(frames)


def joined(parts):
    """Joins the frames of several motions, without the gaps between them."""
    all_frames, end = [], 0
    for frames in parts:
        start = frames[0][0]
        all_frames += [(end + at - start, number) for at, number in frames]
        end = all_frames[-1][0] + 1000 / 60
    return all_frames


def opening_frames(reader, _size):
    """Returns the animation frames while a book closes and opens."""
    parts = []
    for _ in range(TURNS):
        parts.append(moving_frames(reader, "Escape", "shelf"))
        reader.evaluate("new Promise((done) => setTimeout(done, 1000, 1))")
        parts.append(moving_frames(reader, "Enter", "book"))
        reader.evaluate("new Promise((done) => setTimeout(done, 1000, 1))")
    return joined(parts)


def carousel_frames(reader, size):
    """Returns the animation frames while a finger swings the carousel."""
    moving_frames(reader, "Escape", "shelf")
    x, y = size[0] / 2 + 0.2 * stage_width(size), size[1] / 2
    reader.press([(x, y)])
    reader.move([(x - 30, y)], 5)
    reader.evaluate(f"{SWINGING}({x - 30}, {y}, {0.5 * stage_width(size)})")
    frames = reader.evaluate(f"{FRAMES}(4000)")
    reader.evaluate("clearInterval(finger)")
    reader.lift()
    return frames
