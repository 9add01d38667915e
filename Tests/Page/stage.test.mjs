import assert from 'node:assert/strict';
import test from 'node:test';
import { evicted } from '../../Web/js/eviction.js';
import { Stage } from '../../Web/js/stage.js';
import { KIND, SIDE, keyOf } from '../../Web/js/wire.js';
import { Picture, withDocument } from './dom.mjs';

const page = (id, index, version = 1) => ({
  id, kind: KIND.page, index, side: index % 2 === 0 ? SIDE.right : SIDE.left, width: 362, height: 568,
  cornerRadius: 20, imageURL: `/b/x/p/${index}/screen?v=${version}`, title: `Page ${index}`, subtitle: '',
});

/** A whole frame that shows elements: what a FrameState is to the stage. */
function frame(ids, hidden = []) {
  const item = (id, visible) => ({
    id, part: 0, m: Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, id, 0, 0, 1), opacity: 1, shade: 0, z: id,
    visible,
  });
  const items = new Map([...ids.map((id) => [id, item(id, true)]), ...hidden.map((id) => [id, item(id, false)])]);
  return { items, flush: (write) => { for (const one of items.values()) write(one); } };
}

/** A stage with pages in sight, their pictures decoded. */
async function shown(t, pages) {
  const root = withDocument(t);
  const ready = [];
  const stage = new Stage(root, (id) => ready.push(id));
  stage.connect(false);
  stage.introduce(pages);
  stage.frameArrived();
  stage.apply(frame(pages.map(({ id }) => id)));
  await decodeAll();
  return { root, stage, ready };
}

async function decodeAll() {
  for (const picture of Picture.made) picture.show?.();
  await new Promise((done) => { setImmediate(done); });
}

const indices = (root) => root.children.map(({ dataset }) => dataset.index).sort();

test('a connection in which ids mean the same keeps every node and picture', async (t) => {
  const { root, stage, ready } = await shown(t, [page(3, 11), page(4, 12)]);
  const before = [...root.children];
  ready.length = 0;
  stage.connect(true);
  stage.introduce([page(3, 11), page(4, 12)]);
  stage.frameArrived();
  stage.apply(frame([3, 4]));
  await decodeAll();
  assert.deepEqual(root.children, before);
  assert.equal(Picture.made.length, 2);
  assert.deepEqual(ready.sort(), [3, 4], 'it is told again which pictures are ready');
});

test('a connection in which ids mean something else forgets all elements with its first frame', async (t) => {
  const { root, stage } = await shown(t, [page(3, 11), page(4, 12)]);
  stage.connect(false);
  stage.introduce([page(4, 21)]);
  stage.apply(frame([]));
  assert.deepEqual(indices(root), [11, 12], 'until then the picture stays');
  stage.frameArrived();
  stage.apply(frame([4], [3]));
  assert.deepEqual(indices(root), [21]);
  assert.deepEqual([...stage.applied.keys()], [4]);
});

test('an id introduced again keeps its node and shows its new content in place', async (t) => {
  const { root, stage, ready } = await shown(t, [page(1, 11)]);
  const [node] = root.children;
  const { transform } = node.style;
  ready.length = 0;
  stage.introduce([page(1, 11, 2)]);
  stage.apply(frame([1]));
  assert.deepEqual(root.children, [node]);
  assert.equal(node.style.transform, transform);
  assert.equal(Picture.made.length, 2);
  assert.deepEqual(ready, [], 'it is not ready before its new picture is decoded');
  await decodeAll();
  assert.deepEqual(ready, [1]);
  assert.equal(stage.element(1).image, Picture.made[1]);
});

test('new words for the same picture do not fetch it again', async (t) => {
  const { stage } = await shown(t, [page(1, 11)]);
  stage.introduce([{ ...page(1, 11), title: 'Page xi' }]);
  stage.apply(frame([1]));
  const { image, isReady } = stage.element(1);
  assert.equal(Picture.made.length, 1);
  assert.equal(image.alt, 'Page xi');
  assert.ok(isReady && image.isConnected);
});

test('what is retired stays until it is out of sight, and comes back when it is introduced again', async (t) => {
  const { root, stage } = await shown(t, [page(1, 11), page(2, 12)]);
  stage.apply(frame([1, 2]));
  stage.retire([1, 2]);
  stage.apply(frame([1, 2]));
  assert.deepEqual(indices(root), [11, 12]);
  stage.apply(frame([1], [2]));
  stage.apply(frame([1]));
  assert.deepEqual(indices(root), [11]);
  stage.introduce([page(2, 12)]);
  stage.apply(frame([1, 2]));
  assert.deepEqual(indices(root), [11, 12]);
});

test('the open spread is what the server says, as far as it is in sight', async (t) => {
  const { stage } = await shown(t, [page(1, 11), page(2, 12), page(3, 13)]);
  stage.spreadIds = [2, 3, 9];
  stage.apply(frame([1, 2], [3]));
  assert.deepEqual(stage.spread.map(({ content }) => content.id), [2]);
});

test('parts of one element are nodes of their own', async (t) => {
  const root = withDocument(t);
  const stage = new Stage(root, () => {});
  stage.connect(false);
  stage.introduce([page(1, 11)]);
  stage.frameArrived();
  const whole = frame([1]);
  const part = { ...whole.items.get(1), part: 3 };
  whole.items.set(keyOf(1, 3), part);
  stage.apply(whole);
  assert.equal(root.children.length, 2);
  assert.deepEqual([...stage.applied.keys()], [1, keyOf(1, 3)]);
});

test('of hidden elements those seen last are kept', () => {
  const element = (seen, visible = false) => ({ written: { visible }, seen, content: { kind: KIND.page } });
  const elements = new Map(Array.from({ length: 31 }, (_, n) => [n, element(n)]));
  elements.set(99, element(0, true));
  assert.deepEqual(evicted(elements), [2, 1, 0]);
});
