/** As much of a document as the stage needs, for tests outside of a browser. */

class Node {
  children = [];
  style = { setProperty(name, value) { this[name] = value; } };
  dataset = {};
  parent = null;
  #classes = new Set();
  constructor(tag) { this.tag = tag; }
  get classList() {
    const classes = this.#classes;
    return {
      add: (name) => classes.add(name),
      remove: (name) => classes.delete(name),
      contains: (name) => classes.has(name),
      toggle: (name, isOn) => (isOn ? classes.add(name) : classes.delete(name)),
    };
  }
  append(...nodes) {
    for (const node of nodes) {
      node.remove?.();
      node.parent = this;
      this.children.push(node);
    }
  }
  replaceChildren(...nodes) {
    for (const node of [...this.children]) node.remove();
    this.append(...nodes);
  }
  remove() {
    const { parent } = this;
    if (parent === null) return;
    parent.children.splice(parent.children.indexOf(this), 1);
    this.parent = null;
  }
  get isConnected() { return this.parent !== null; }
  get className() { return [...this.#classes].join(' '); }
  set className(names) {
    this.#classes.clear();
    for (const name of names.split(' ').filter(Boolean)) this.#classes.add(name);
  }
  setAttribute(name, value) { this[name] = value; }
  removeAttribute(name) { delete this[name]; }
  addEventListener() {}
}

/** Images that are decoded when the test says so. */
export class Picture extends Node {
  static made = [];
  complete = false;
  naturalWidth = 0;
  constructor() {
    super('img');
    Picture.made.push(this);
  }
  decode() {
    return new Promise((done) => {
      this.show = () => {
        Object.assign(this, { complete: true, naturalWidth: 100, naturalHeight: 150 });
        done();
      };
    });
  }
}

/** Puts the document in place of a browser's, until the test is over; gives a root for a stage. */
export function withDocument(t) {
  const before = { document: globalThis.document, Image: globalThis.Image };
  globalThis.document = { createElement: (tag) => new Node(tag), documentElement: new Node('html') };
  globalThis.Image = Picture;
  Picture.made = [];
  t.after(() => Object.assign(globalThis, before));
  return new Node('div');
}
