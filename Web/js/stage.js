/**
 * The stage: the DOM elements and what is written to them. It lays nothing out and moves nothing by
 * itself; every number comes from the server, and only those that changed are written.
 */

import { Kind, Side, StageElement } from './element.js';
import { matrixText } from './matrix.js';

const KEPT_HIDDEN = 64; // elements kept, decoded, while they are not seen

function sameContent(a, b) {
  return a.kind === b.kind && a.index === b.index && a.side === b.side && a.width === b.width &&
    a.height === b.height && a.cornerRadius === b.cornerRadius && a.imageURL === b.imageURL &&
    a.title === b.title && a.subtitle === b.subtitle;
}

function sameMatrix(a, b) {
  for (let k = 0; k < 16; k++) if (a[k] !== b[k]) return false;
  return true;
}

export class Stage {
  /** Element id -> the matrix last written, of the elements in sight. */
  applied = new Map();

  #root;
  #contents = new Map();
  #fresh = new Set();
  #elements = new Map();
  #bases = [];
  #count = 0;
  #isWaiting = false;

  constructor(root) { this.#root = root; }

  /** Forgets the names of the last connection; the picture stays until the next snapshot. */
  reset() {
    this.#contents.clear();
    this.#fresh.clear();
    this.#isWaiting = true;
  }

  /** Takes the elements introduced, making those that are new or different. */
  introduce(contents) {
    for (const content of contents) {
      this.#contents.set(content.id, content);
      this.#fresh.add(content.id);
      const element = this.#elements.get(content.id);
      if (element !== undefined && sameContent(element.content, content)) continue;
      if (element !== undefined) this.#remove(content.id);
      this.#make(content);
    }
  }

  /** Forgets the elements introduced before, save those that the frame at hand names. */
  forget(entries) {
    for (const { id } of entries) this.#fresh.add(id);
    for (const id of this.#contents.keys()) {
      if (!this.#fresh.has(id)) this.#contents.delete(id);
    }
  }

  /** Tells the introductions so far from later ones. */
  settleIntroductions() {
    this.#fresh.clear();
    this.#isWaiting = false;
  }

  /** Places the whole stage in this window. */
  camera(matrix) {
    const style = this.#root.style;
    style.transform = matrixText(matrix);
    const page = document.documentElement.style;
    page.setProperty('--zoom', String(matrix[0]));
    page.setProperty('--rise', `${matrix[13]}px`);
  }

  /** Writes what changed. */
  apply(placements) {
    if (this.#isWaiting) return;
    this.#count += 1;
    let reordered = false;
    for (const [id, placement] of placements) {
      if (!placement.changed) {
        const element = this.#elements.get(id);
        if (placement.visible && element !== undefined) element.seen = this.#count;
        continue;
      }
      const content = this.#contents.get(id);
      if (content === undefined) {
        // Named before it is introduced: written as soon as it is.
        if (!placement.visible) placements.delete(id);
        continue;
      }
      placement.changed = false;
      reordered = this.#write(id, content, placement) || reordered;
      if (!placement.visible) placements.delete(id);
    }
    for (const [id, element] of this.#elements) {
      if (this.#contents.has(id) || !element.written.visible) continue;
      this.#remove(id);
      reordered = true;
    }
    if (reordered) this.#findBases();
    if (this.#elements.size > KEPT_HIDDEN) this.#trim();
  }

  #write(id, content, { matrix, opacity, shade, z, visible }) {
    let element = this.#elements.get(id);
    if (element === undefined) {
      if (!visible) return false;
      element = this.#make(content);
    }
    const { written, style } = element;
    let reordered = false;
    element.seen = this.#count;
    if (visible) {
      if (!sameMatrix(written.matrix, matrix)) {
        style.transform = matrixText(matrix);
        written.matrix.set(matrix);
      }
      this.applied.set(id, written.matrix);
      if (written.opacity !== opacity) {
        style.opacity = opacity === 1 ? '' : opacity.toFixed(5);
        written.opacity = opacity;
      }
      if (written.shade !== shade) {
        element.shade(shade);
        written.shade = shade;
      }
      if (written.z !== z) {
        style.zIndex = String(z);
        written.z = z;
        reordered = true;
      }
    } else {
      this.applied.delete(id);
    }
    if (written.visible !== visible) {
      style.visibility = visible ? 'visible' : 'hidden';
      written.visible = visible;
      reordered = true;
    }
    return reordered;
  }

  #make(content) {
    const element = new StageElement(content, (maker, colour) => {
      // The boards of the open book are those of its cover.
      if (maker.content.kind === Kind.page) this.#root.style.setProperty('--board', colour);
    });
    element.seen = this.#count;
    this.#elements.set(content.id, element);
    this.#root.append(element.root);
    return element;
  }

  #remove(id) {
    this.#elements.get(id)?.root.remove();
    this.#elements.delete(id);
    this.applied.delete(id);
  }

  /** The lowest page of each side lies on the board and casts the shadow of the book. */
  #findBases() {
    const lowest = [null, null, null];
    for (const element of this.#elements.values()) {
      const { kind, side } = element.content;
      if (kind !== Kind.page || !element.written.visible) continue;
      if (lowest[side] === null || element.written.z < lowest[side].written.z) lowest[side] = element;
    }
    const bases = [lowest[Side.right], lowest[Side.left]].filter((element) => element !== null);
    for (const element of this.#bases) {
      if (!bases.includes(element)) element.root.classList.remove('base');
    }
    for (const element of bases) element.root.classList.add('base');
    this.#bases = bases;
  }

  /** Removes the elements not seen for longest. */
  #trim() {
    const hidden = [...this.#elements].filter(([, element]) => !element.written.visible);
    hidden.sort(([, a], [, b]) => a.seen - b.seen);
    for (const [id] of hidden.slice(0, Math.max(0, hidden.length - KEPT_HIDDEN))) this.#remove(id);
  }
}
