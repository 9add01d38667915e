import assert from 'node:assert/strict';
import test from 'node:test';
import { Stage } from '../../Web/js/stage.js';
import { KIND, SIDE } from '../../Web/js/wire.js';
import { Picture, withDocument } from './dom.mjs';

const page = (id, index, version = 1) => ({
  id, kind: KIND.page, index, side: index % 2 === 0 ? SIDE.right : SIDE.left, width: 362, height: 568,
  cornerRadius: 20, imageURL: `/b/x/p/${index}/screen?v=${version}`, title: `Page ${index}`, subtitle: '',
});

/** A whole frame that shows elements: what a FrameState is to the stage. */
function frame(ids, hidden = []) {
  const item = (id, visible) =>
    ({ id, m: Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, id, 0, 0, 1), opacity: 1, shade: 0, z: id, visible });
  const items = new Map([...ids.map((id) => [id, item(id, true)]), ...hidden.map((id) => [id, item(id, false)])]);
  return { items, forgotten: [], flush: (write) => { for (const one of items.values()) write(one); } };
}

/** A stage with pages in sight, their pictures decoded. */
async function shown(t, pages) {
  const root = withDocument(t);
  const ready = [];
  const stage = new Stage(root, (id) => ready.push(id));
  stage.reset();
  stage.introduce(pages);
  stage.frameArrived(true);
  stage.apply(frame(pages.map(({ id }) => id)));
  for (const picture of Picture.made) picture.show();
  await new Promise((done) => { setImmediate(done); });
  return { root, stage, ready };
}

const indices = (root) => root.children.map(({ dataset }) => dataset.index).sort();

test('the same pages by other numbers keep their elements through a new connection', async (t) => {
  const { root, stage, ready } = await shown(t, [page(3, 11), page(4, 12)]);
  const before = [...root.children];
  ready.length = 0;
  stage.reset();
  assert.deepEqual(root.children, before);
  stage.introduce([page(0, 12), page(1, 11)]);
  assert.deepEqual(root.children, before);
  stage.frameArrived(true);
  stage.apply(frame([0, 1]));
  assert.deepEqual(root.children, before);
  assert.equal(Picture.made.length, 2);
  assert.deepEqual([...stage.applied.keys()].sort(), [0, 1]);
  assert.deepEqual(ready.sort(), [0, 1]);
});

test('pages that swap their numbers keep their elements too', async (t) => {
  const { root, stage } = await shown(t, [page(1, 11), page(2, 12)]);
  const [eleven, twelve] = root.children;
  stage.introduce([page(2, 11), page(1, 12)]);
  stage.frameArrived(true);
  stage.apply(frame([1, 2]));
  assert.deepEqual(new Set(root.children), new Set([eleven, twelve]));
  assert.match(eleven.style.transform, /,2,0,0,1e0\)/);
  assert.match(twelve.style.transform, /,1,0,0,1e0\)/);
  assert.equal(Picture.made.length, 2);
});

test('a page whose picture is another now is made anew, and the old one goes with the frame', async (t) => {
  const { root, stage } = await shown(t, [page(1, 11)]);
  const [old] = root.children;
  stage.introduce([page(1, 11, 2)]);
  assert.deepEqual(root.children, [old]);
  stage.frameArrived(false);
  stage.apply(frame([1]));
  assert.equal(root.children.length, 1);
  assert.notEqual(root.children[0], old);
});

test('what a reset does not name is taken away with its frame', async (t) => {
  const { root, stage } = await shown(t, [page(1, 11), page(2, 12)]);
  stage.reset();
  stage.introduce([page(7, 12)]);
  stage.frameArrived(true);
  stage.apply(frame([7], [1, 2]));
  assert.deepEqual(indices(root), [12]);
  assert.deepEqual([...stage.applied.keys()], [7]);
});

test('a page kept through a reset but not in sight is hidden, and its picture is not fetched again', async (t) => {
  const { root, stage, ready } = await shown(t, [page(1, 11), page(2, 12)]);
  ready.length = 0;
  stage.reset();
  stage.introduce([page(5, 11), page(6, 12)]);
  stage.frameArrived(true);
  stage.apply(frame([5]));
  assert.deepEqual(indices(root), [11, 12]);
  const twelve = root.children.find(({ dataset }) => dataset.index === 12);
  assert.equal(twelve.style.visibility, 'hidden');
  assert.equal(Picture.made.length, 2);
  assert.deepEqual(ready.sort(), [5, 6]);
});

test('until the frame of the new connection comes the picture stays as it was', async (t) => {
  const { root, stage } = await shown(t, [page(1, 11)]);
  stage.reset();
  stage.apply(frame([]));
  assert.deepEqual(indices(root), [11]);
});
