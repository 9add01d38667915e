/**
 * What the person does, sent as it is: where the pointers are, not what they mean. The server
 * recognises the gestures.
 */

import {
  encodeKey, encodePointers, encodeWheel, encodeZoom,
} from './wire.js';

const Phase = { down: 0, move: 1, up: 2, cancel: 3 };
const GesturePhase = { began: 0, changed: 1, ended: 2, cancelled: 3 };
const KEYS = {
  ArrowRight: 1, ArrowLeft: 2, ArrowUp: 3, ArrowDown: 4, PageUp: 5, PageDown: 6, Home: 7, End: 8,
  Enter: 9, Escape: 10,
};
const LINE = 16; // CSS px of a wheel's line
const MOST_POINTERS = 16;

export class Input {
  #surface;
  #send;
  #targetTime;
  #onActivity;
  /** pointerId -> { slot, x, y, stamp, moved } */
  #pointers = new Map();

  /**
   * @param surface the element that takes the pointers
   * @param send takes the bytes of a message
   * @param targetTime the server's time of the next vsync, 0 while unknown
   * @param onActivity called when something was done: animation frames are needed
   */
  constructor(surface, { send, targetTime, onActivity }) {
    this.#surface = surface;
    this.#send = send;
    this.#targetTime = targetTime;
    this.#onActivity = onActivity;
    this.#listen();
  }

  /** Whether a pointer is down: then every animation frame asks for the next frame. */
  get isDriving() { return this.#pointers.size > 0; }

  /** Once an animation frame: the newest position of each pointer, or only the wish for a frame. */
  tick() {
    if (!this.isDriving) return;
    const samples = [];
    for (const pointer of this.#pointers.values()) {
      if (!pointer.moved) continue;
      pointer.moved = false;
      samples.push(this.#sample(pointer, Phase.move));
    }
    this.#sendPointers(samples);
  }

  /** Takes every pointer away, as when the window is left. */
  cancel() {
    if (!this.isDriving) return;
    const samples = [...this.#pointers.values()].map((p) => this.#sample(p, Phase.cancel));
    this.#pointers.clear();
    this.#sendPointers(samples);
  }

  /** Sends a key by its DOM name, as a button does for those who do not use the keyboard. */
  key(name) {
    this.#onActivity();
    this.#send(encodeKey(KEYS[name]));
  }

  #sample({ slot, x, y, stamp }, phase) {
    const age = Math.min(6500, Math.max(0, performance.now() - stamp));
    return { id: slot, phase, age, x, y };
  }

  #sendPointers(samples) { this.#send(encodePointers(this.#targetTime(), samples)); }

  #freeSlot() {
    const taken = new Set([...this.#pointers.values()].map((pointer) => pointer.slot));
    let slot = 0;
    while (taken.has(slot)) slot += 1;
    return slot;
  }

  #listen() {
    const surface = this.#surface;
    const on = (type, handler) => surface.addEventListener(type, handler, { passive: false });

    on('pointerdown', (event) => {
      if (event.button !== 0 || this.#pointers.size >= MOST_POINTERS) return;
      event.preventDefault();
      surface.focus({ preventScroll: true });
      try {
        surface.setPointerCapture(event.pointerId);
      } catch {
        // The pointer is gone already; its cancel follows.
      }
      const pointer = { slot: this.#freeSlot(), moved: false };
      this.#pointers.set(event.pointerId, pointer);
      this.#move(pointer, event);
      this.#onActivity();
      this.#sendPointers([this.#sample(pointer, Phase.down)]);
    });
    on('pointermove', (event) => {
      const pointer = this.#pointers.get(event.pointerId);
      if (pointer === undefined) return;
      this.#move(pointer, event);
      pointer.moved = true;
    });
    on('pointerup', (event) => this.#lift(event, Phase.up));
    on('pointercancel', (event) => this.#lift(event, Phase.cancel));
    on('lostpointercapture', (event) => this.#lift(event, Phase.cancel));
    on('contextmenu', (event) => { if (this.isDriving) event.preventDefault(); });
    on('dragstart', (event) => event.preventDefault());

    on('wheel', (event) => {
      event.preventDefault();
      const unit = event.deltaMode === 1 ? LINE : event.deltaMode === 2 ? innerHeight : 1;
      this.#onActivity();
      this.#send(encodeWheel({
        dx: event.deltaX * unit, dy: event.deltaY * unit, x: event.clientX, y: event.clientY,
        ctrl: event.ctrlKey,
      }));
    });

    // Safari on a trackpad; on a touch screen the two pointers say it already.
    const zoom = (phase) => (event) => {
      event.preventDefault();
      if (this.isDriving || !(event.scale > 0)) return;
      this.#onActivity();
      this.#send(encodeZoom({ phase, scale: event.scale, x: event.clientX, y: event.clientY }));
    };
    on('gesturestart', zoom(GesturePhase.began));
    on('gesturechange', zoom(GesturePhase.changed));
    on('gestureend', zoom(GesturePhase.ended));

    document.addEventListener('keydown', (event) => {
      if (!(event.key in KEYS) || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === 'Enter' && event.target.closest?.('button, a, input')) return;
      event.preventDefault();
      this.key(event.key);
    });
    addEventListener('blur', () => this.cancel());
    document.addEventListener('visibilitychange', () => this.cancel());
  }

  #move(pointer, event) {
    pointer.x = event.clientX;
    pointer.y = event.clientY;
    pointer.stamp = event.timeStamp;
  }

  #lift(event, phase) {
    const pointer = this.#pointers.get(event.pointerId);
    if (pointer === undefined) return;
    this.#pointers.delete(event.pointerId);
    // Losing the capture has no position of its own.
    if (event.type !== 'lostpointercapture') this.#move(pointer, event);
    this.#onActivity();
    this.#sendPointers([this.#sample(pointer, phase)]);
  }
}
