"""Windows of readers behind a proxy, and how they turn a page together."""

import json

from proxies import PASSWORD, USER

PLACE = "document.querySelector('.place')?.textContent"


class Window:
    """A window of a reader, which remembers what went wrong in it."""

    def __init__(self, browser, has_login=False):
        login = {"http_credentials": {"username": USER, "password": PASSWORD}} if has_login else {}
        self.context = browser.new_context(viewport={"width": 1180, "height": 820}, bypass_csp=True, **login)
        self.page = self.context.new_page()
        self.faults = []
        self.page.on("response", lambda one: one.status >= 400 and self.faults.append((one.status, one.url)))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    def open(self, url):
        self.page.goto(url)
        self.page.wait_for_function("location.pathname.startsWith('/books/r/')")

    def spread(self):
        """The place in the book, once the images of its pages are there."""
        self.page.wait_for_function(
            "(() => { const all = [...document.querySelectorAll('[data-kind=page]:not([inert]) img')];"
            " return all.length > 0 && all.every(one => one.complete && one.naturalWidth > 0) })()")
        return self.page.evaluate(PLACE)

    def link(self):
        """Shares the open book, and returns the link for guests."""
        self.page.click("#share")
        self.page.wait_for_function("document.querySelector('.qr img')?.complete")
        link = self.page.evaluate("location.protocol + '//' + document.querySelector('dialog[open] input.link').value")
        self.page.keyboard.press("Escape")
        return link


def turn_together(first, second):
    """Turns a page in the first window, expects the same in the second one, and returns the place."""
    before = first.spread()
    first.page.keyboard.press("ArrowRight")
    first.page.wait_for_function(f"{PLACE} !== {json.dumps(before)}")
    after = first.spread()
    second.page.wait_for_function(f"{PLACE} === {json.dumps(after)}")
    assert second.spread() == after
    return after
