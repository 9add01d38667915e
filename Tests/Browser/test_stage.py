"""The stage: the elements, images and matrices that it creates from the server's messages."""

import pytest

from steps import BEFORE

# A stage in an empty document, with functions that create its messages and frames.
SETUP = """await (async () => {
  const { session } = await import('/js/app.js')
  const { Stage } = await import('/js/stage.js')
  const { KIND, SIDE, keyOf } = await import('/js/wire.js')
  const root = document.body.appendChild(document.createElement('div'))
  const ready = []
  const stage = new Stage(root, (id) => ready.push(id))
  const page = (id, index, version = 1) => ({
    id, kind: KIND.page, index, side: index % 2 === 0 ? SIDE.right : SIDE.left, width: 362, height: 568,
    cornerRadius: 20, imageURL: `/favicon.svg?page=${index}&v=${version}`, title: `Page ${index}`, subtitle: '',
  })
  const item = (id, visible, part = 0) => ({
    id, part, m: Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, id, 0, 0, 1), opacity: 1, shade: 0, z: id,
    visible,
  })
  // A whole frame.
  const show = (visible, hidden = [], more = []) => {
    const all = [...visible.map((id) => item(id, true)), ...hidden.map((id) => item(id, false)), ...more]
    const items = new Map(all.map((one) => [keyOf(one.id, one.part), one]))
    stage.apply({ items, flush: (write) => items.forEach(write) })
  }
  // A connection whose first frame shows pages.
  const begin = (keepsIds, pages) => {
    stage.connect(keepsIds)
    stage.introduce(pages)
    stage.frameArrived()
    show(pages.map(({ id }) => id))
  }
  // Resolves when elements are ready; gives their ids and forgets them.
  const decoded = async (count) => {
    while (ready.length < count) await new Promise((next) => setTimeout(next, 1))
    return ready.splice(0).sort()
  }
  const indices = () => [...root.querySelectorAll('.el')].map(({ dataset }) => +dataset.index).sort()
  Object.assign(window, { session, stage, root, ready, page, item, show, begin, decoded, indices, keyOf })
})()"""


@pytest.fixture(scope="module")
def window(chromium):
    """A window for all stages, which must have no errors."""
    reader = chromium.reader()
    yield reader
    errors = list(reader.errors)
    reader.close()
    assert errors == []


@pytest.fixture
def run(window, server):
    """Runs statements in a new document with a stage, and returns their result."""
    window.goto(f"{server.url}{BEFORE}")
    window.evaluate(SETUP)
    return lambda statements: window.evaluate(f"(async () => {{ {statements} }})()")


def test_a_connection_with_the_same_ids_keeps_every_node_and_image(run):
    kept, again = run("""
        begin(false, [page(3, 11), page(4, 12)])
        await decoded(2)
        const before = [...root.querySelectorAll('*')]
        begin(true, [page(3, 11), page(4, 12)])
        const again = await decoded(2)
        const now = [...root.querySelectorAll('*')]
        return [now.length === before.length && now.every((node, n) => node === before[n]), again]
    """)
    assert kept
    # A new connection is informed again which images are ready.
    assert again == [3, 4]


def test_a_connection_with_other_ids_replaces_all_elements_with_its_first_frame(run):
    before, after, applied = run("""
        begin(false, [page(3, 11), page(4, 12)])
        await decoded(2)
        stage.connect(false)
        stage.introduce([page(4, 21)])
        show([])
        const before = indices()
        stage.frameArrived()
        show([4], [3])
        return [before, indices(), [...stage.applied.keys()]]
    """)
    assert before == [11, 12]
    assert after == [21]
    assert applied == [4]


def test_an_id_introduced_again_keeps_its_node_and_shows_its_new_content_in_place(run):
    kept, early, late, address = run("""
        begin(false, [page(1, 11)])
        await decoded(1)
        const [node] = root.querySelectorAll('.el')
        const { transform } = node.style
        stage.introduce([page(1, 11, 2)])
        show([1])
        const nodes = root.querySelectorAll('.el')
        const kept = nodes.length === 1 && nodes[0] === node && node.style.transform === transform
        const early = [...ready]
        const late = await decoded(1)
        return [kept, early, late, node.querySelector('img').getAttribute('src')]
    """)
    assert kept
    # The element is not ready before its new image is decoded.
    assert early == []
    assert late == [1]
    assert address == "/favicon.svg?page=11&v=2"


def test_a_new_title_for_the_same_image_does_not_load_it_again(run):
    is_same, words, is_ready = run("""
        begin(false, [page(1, 11)])
        await decoded(1)
        const image = root.querySelector('img')
        stage.introduce([{ ...page(1, 11), title: 'Page xi' }])
        show([1])
        return [root.querySelector('img') === image, image.alt, stage.element(1).isReady]
    """)
    assert is_same
    assert words == "Page xi"
    assert is_ready


def test_a_retired_element_stays_until_it_is_hidden_and_returns_when_it_is_introduced_again(run):
    visible, hidden, again = run("""
        begin(false, [page(1, 11), page(2, 12)])
        stage.retire([1, 2])
        show([1, 2])
        const visible = indices()
        show([1], [2])
        show([1])
        const hidden = indices()
        stage.introduce([page(2, 12)])
        show([1, 2])
        return [visible, hidden, indices()]
    """)
    assert visible == [11, 12]
    assert hidden == [11]
    assert again == [11, 12]


def test_the_open_spread_is_the_visible_part_of_what_the_server_names(run):
    assert run("""
        begin(false, [page(1, 11), page(2, 12), page(3, 13)])
        session.caption = { spread: [2, 3, 9] }
        show([1, 2], [3])
        return stage.spread.map(({ content }) => content.id)
    """) == [2]


def test_each_part_of_an_element_has_a_node_of_its_own(run):
    nodes, is_applied, left = run("""
        const made = []
        const part = (content, part) => {
          const root = document.createElement('i')
          made.push(root)
          return {
            content, part, root, slot: root, style: root.style, shade() {}, remove: () => root.remove(),
            written: { matrix: new Float32Array(16), opacity: 1, shade: 0, z: null, visible: false },
          }
        }
        stage.attach({ part, appeared() {}, ready() {}, follow() {} })
        begin(false, [page(1, 11)])
        show([1], [], [item(1, true, 19)])
        const isApplied = [1, keyOf(1, 19)].every((key) => stage.applied.has(key))
        const count = root.querySelectorAll('.el').length + made.length
        show([1], [], [item(1, false, 19)])
        stage.dropParts()
        return [count, isApplied, made[0].isConnected || stage.partsOf(1).length > 0]
    """)
    assert nodes == 2
    assert is_applied
    assert not left
