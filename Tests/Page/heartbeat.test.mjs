import assert from 'node:assert/strict';
import test from 'node:test';
import { Heartbeat } from '../../Web/js/session/heartbeat.js';

/** A page with a fake clock, whose timer calls the heartbeat as the page's does. */
class Page {
  now = 0;
  sent = [];
  died = [];
  woke = 0;
  answers = true;
  #due = 0;

  constructor({ answers = true, members = 1, random = 0 } = {}) {
    this.answers = answers;
    this.members = members;
    this.heartbeat = new Heartbeat(() => {
      this.sent.push(this.now);
      if (this.answers) this.heartbeat.heard(this.now);
    }, () => this.died.push(this.now), () => { this.woke += 1; }, () => this.members, () => random);
    this.heartbeat.burst(0);
    this.#tick();
  }

  #tick() { this.#due = this.now + this.heartbeat.tick(this.now); }

  /** Advances the time; the timer may be late. */
  run(until) {
    while (this.#due <= until) {
      this.now = Math.max(this.now, this.#due);
      this.#tick();
    }
    this.now = Math.max(this.now, until);
  }

  /** Draws an animation frame every 16 ms; frames of the stage arrive with it if the server sends any. */
  move(until, hears = this.answers) {
    while (this.now < until) {
      this.run(this.now + 16);
      if (hears) this.heartbeat.heard(this.now);
      if (this.heartbeat.stir(this.now)) this.#tick();
    }
  }

  /** The reader does something at this moment. */
  act() { if (this.heartbeat.stir(this.now)) this.#tick(); }

  /** The probes since a time, in ms after it. */
  since(time) { return this.sent.filter((at) => at >= time).map((at) => at - time); }

  get isStopped() { return this.#due === Infinity; }
}

/** Returns a page that has been at rest for three minutes, at the moment of a probe. */
function rested(options) {
  const page = new Page(options);
  page.run(180_000);
  for (page.sent = []; page.sent.length === 0;) page.run(page.now + 1);
  return page;
}

test('eight probes come first, 60 ms apart, then one every two seconds for twenty seconds', () => {
  const page = new Page();
  page.run(400);
  assert.deepEqual(page.sent, [0, 60, 120, 180, 240, 300, 360]);
  page.run(20_000);
  assert.deepEqual(page.sent.slice(7, 10), [420, 2420, 4420]);
  assert.equal(page.sent.length, 8 + 9);
});

test('later a probe is sent every four seconds while something moves', () => {
  const page = new Page();
  page.move(90_000);
  const gaps = page.since(30_000).map((at, n, all) => at - (all[n - 1] ?? at)).slice(1);
  assert.ok(gaps.length >= 13 && gaps.every((gap) => gap >= 4000 && gap < 4020), `${gaps}`);
});

test('at rest a probe is sent every fifteen seconds', () => {
  const page = new Page();
  page.run(180_000);
  const gaps = page.since(40_000).map((at, n, all) => at - (all[n - 1] ?? at)).slice(1);
  assert.ok(gaps.length >= 8 && gaps.every((gap) => gap === 15_000), `${gaps}`);
});

test('a page counts as at rest ten seconds after the last motion', () => {
  const page = new Page();
  page.move(60_000);
  page.run(120_000);
  const [first, second, ...others] = page.since(60_000);
  assert.ok(first <= 4020 && second - first === 4000, `${first} ${second}`);
  assert.ok(others.every((at, n) => at - [second, ...others][n] === 15_000), `${others}`);
});

test('after a pause four probes are sent as soon as something moves', () => {
  const page = rested();
  page.run(page.sent[0] + 10_000);
  const start = page.now;
  page.move(start + 6000);
  assert.deepEqual(page.since(start).slice(0, 4), [0, 60, 120, 180].map((at) => at + 16));
  assert.equal(page.since(start + 1000).length, 1);
});

test('a motion soon after a probe sends none earlier than usual', () => {
  const page = rested();
  page.run(page.sent[0] + 1000);
  page.move(page.sent[0] + 3900);
  assert.equal(page.sent.length, 1);
  page.move(page.sent[0] + 4100);
  assert.equal(page.sent.length, 2);
});

test('a thousand members that move probe every sixteen seconds, and the largest room every twenty', () => {
  for (const [members, gap] of [[200, 4000], [500, 8000], [1000, 16_000], [1250, 20_000], [50_000, 20_000]]) {
    const page = new Page({ members });
    page.move(400_000 + 8 * members);
    const gaps = page.since(300_000 + 8 * members).map((at, n, all) => at - (all[n - 1] ?? at)).slice(1);
    assert.ok(gaps.length >= 3 && gaps.every((one) => one >= gap && one < gap + 20), `${members}: ${gaps}`);
  }
});

test('the first probes of the members of a large room are further apart', () => {
  const page = new Page({ members: 1000 });
  page.run(8000);
  assert.deepEqual(page.sent, [0, 1000, 2000, 3000, 4000, 5000, 6000, 7000]);
});

test('when a large room begins to move, each member sends one probe, at its own random moment', () => {
  const moments = [0, .25, .5, 1].map((random) => {
    const page = rested({ members: 400, random });
    page.run(page.sent[0] + 10_000);
    const start = page.now;
    page.move(start + 6000);
    assert.equal(page.since(start).length, 1);
    return page.since(start)[0];
  });
  for (const [n, expected] of [0, 100, 200, 400].entries()) {
    assert.ok(Math.abs(moments[n] - expected) <= 32, `${moments}`);
  }
});

test('a dead connection is noticed within twelve seconds while something moves, in a room of any size', () => {
  for (const members of [1, 1000]) {
    const page = new Page({ members });
    page.move(60_000);
    page.answers = false;
    page.move(90_000);
    assert.equal(page.died.length, 1);
    assert.ok(page.died[0] - 60_000 <= 12_050, `${members} members: ${page.died[0] - 60_000} ms`);
    assert.ok(page.isStopped);
  }
});

test('a dead connection is noticed within twelve seconds after the reader acts', () => {
  for (const members of [1, 1000]) {
    for (const pause of [500, 3000, 9000, 14_000]) {
      const page = rested({ members });
      page.run(page.sent[0] + pause);
      page.answers = false;
      const start = page.now;
      page.act();
      page.run(start + 20_000);
      assert.equal(page.died.length, 1);
      assert.ok(page.died[0] - start <= 12_000, `${members} members, ${pause} ms: ${page.died[0] - start} ms`);
    }
  }
});

test('at rest a dead connection is noticed within twenty-three seconds', () => {
  const page = rested();
  const last = page.sent[0];
  page.answers = false;
  page.run(last + 40_000);
  assert.equal(page.died.length, 1);
  assert.equal(page.died[0] - last, 23_000);
});

test('any message shows that the connection is alive', () => {
  const page = new Page({ answers: false });
  for (let now = 0; now < 60_000; now += 500) {
    page.run(now);
    page.heartbeat.heard(now);
  }
  assert.deepEqual(page.died, []);
});

test('after a sleep the probes start again, and the connection does not count as dead', () => {
  const page = new Page({ answers: false });
  page.run(1000);
  page.now = 3_600_000;
  page.run(page.now);
  assert.deepEqual([page.died.length, page.woke], [0, 1]);
  page.answers = true;
  const start = page.now;
  page.sent = page.sent.filter((at) => at >= start);
  page.run(start + 400);
  assert.equal(page.sent.length, 7);
});

test('a stopped heartbeat sends no probe, even if something moves', () => {
  const page = new Page();
  page.run(5000);
  page.heartbeat.stop();
  const { length } = page.sent;
  page.move(100_000);
  assert.equal(page.sent.length, length);
  assert.ok(page.isStopped);
});

test('after a sleep, or when there is doubt, a connection without an answer within a second counts as dead', () => {
  for (const begin of [
    (page) => { page.now += 60_000; page.run(page.now); },
    (page) => { page.heartbeat.doubt(page.now); page.run(page.now); },
  ]) {
    const page = rested();
    page.answers = false;
    begin(page);
    const from = page.now;
    page.act();
    page.run(from + 999);
    assert.deepEqual(page.died, []);
    page.run(from + 1001);
    assert.equal(page.died.length, 1);
  }
});

test('on a slow connection the doubt lasts three round trips', () => {
  const page = new Page({ answers: false });
  page.heartbeat.roundTrip = 2000;
  page.heartbeat.doubt(0);
  page.act();
  page.run(5999);
  assert.deepEqual(page.died, []);
  page.run(6001);
  assert.equal(page.died.length, 1);
});
