import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';

const top = new URL('../../Web/js/', import.meta.url);
const files = readdirSync(top, { recursive: true }).filter((path) => path.endsWith('.js'));
const tables = files.filter((path) => path.startsWith('words/'));
/** Those in English; german.test.mjs compares the others with them. */
const english = tables.filter((path) => !path.startsWith('words/de/'));

/** Returns the literals of a script: the content of quotation marks, and the fixed parts of templates. */
function literals(code) {
  const found = [];
  const closers = [];
  let before = '';
  for (let n = 0; n < code.length; n += 1) {
    const letter = code[n];
    if (code.startsWith('//', n)) {
      n = code.indexOf('\n', n);
    } else if (code.startsWith('/*', n)) {
      n = code.indexOf('*/', n) + 1;
    } else if (letter === '/' && !/[\w)\]]/.test(before)) {
      n = regexEnd(code, n);
      before = '/';
    } else if (letter === '\'' || letter === '"' || letter === '`' || (letter === '}' && closers.at(-1) === 0)) {
      const isTemplate = letter === '`' || letter === '}';
      if (letter === '}') closers.pop();
      const end = textEnd(code, n + 1, isTemplate ? '`' : letter);
      found.push(code.slice(n + 1, end));
      n = end;
      if (code[end] === '$') {
        closers.push(0);
        n = end + 1;
      }
      before = code[end] === '$' ? '(' : ')';
    } else {
      if (closers.length > 0) closers[closers.length - 1] += { '{': 1, '}': -1 }[letter] ?? 0;
      if (letter.trim() !== '') before = letter;
    }
  }
  return found;
}

function textEnd(code, start, closer) {
  let n = start;
  while (n < code.length && code[n] !== closer) {
    if (closer === '`' && code.startsWith('${', n)) return n;
    n += code[n] === '\\' ? 2 : 1;
  }
  return n;
}

function regexEnd(code, start) {
  let isClass = false;
  for (let n = start + 1; n < code.length; n += 1) {
    if (code[n] === '\\') n += 1;
    else if (code[n] === '[') isClass = true;
    else if (code[n] === ']') isClass = false;
    else if (code[n] === '/' && !isClass) return n;
  }
  return code.length;
}

/** Names of keys, of HTTP, and of browsers' interfaces. */
const NAMES = new Set([
  'Arrow', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', 'Enter', 'Escape',
  'Esc', 'Shift+F3',
  'AbortError', 'Lectern-Key', 'Content-Type', 'Upload-Offset', 'DELETE', 'GET', 'PATCH', 'POST',
  'Files', 'GestureEvent', 'NFD', 'Uint8', 'Uint16', 'Uint32', 'Float32', 'Float64', 'Lectern: ',
  'GiB', 'MiB', 'KiB', '1em "EB Garamond"', 'italic 1em "EB Garamond"',
]);

/** Returns whether a literal is a text for the reader: a capitalized word, or several words in sequence. */
function isSaid(literal) {
  if (NAMES.has(literal) || /^[MmLlHhVvCcSsQqTtAaZz][\d\s.,+-]/.test(literal)) return false;
  return /(^|[^\w./#-])\p{Lu}\p{Ll}+/u.test(literal) || /\p{L}{2,} \p{L}+ \p{L}{2,}/u.test(literal);
}

/** Returns whether a line holds a message for developers, or names for the protocol or for selectors. */
const isForMachines = (line) => /RangeError|console\.warn|numbered\(|querySelector|closest|checkVisibility/.test(line);

test('all texts for the reader are in the tables of texts', () => {
  const strays = [];
  for (const path of files.filter((path) => !tables.includes(path) && !path.endsWith('wire.js'))) {
    const code = readFileSync(new URL(path, top), 'utf8');
    const lines = code.split('\n');
    for (const literal of literals(code)) {
      if (!isSaid(literal)) continue;
      const line = lines.find((one) => one.includes(literal.split('\n')[0])) ?? '';
      if (!isForMachines(line)) strays.push(`${path}: ${literal}`);
    }
  }
  assert.deepEqual(strays, []);
});

test('HTML files hold only the program\'s name and the texts without JavaScript', () => {
  const web = new URL('../../Web/', import.meta.url);
  for (const path of readdirSync(web).filter((name) => name.endsWith('.html'))) {
    const html = readFileSync(new URL(path, web), 'utf8');
    const body = html.replace(/<title>Lectern<\/title>|<noscript>[^<]*<\/noscript>/g, '');
    assert.equal(body.replace(/<[^>]*>/g, '').trim(), '', path);
    assert.doesNotMatch(body, /\s(?:aria-label|alt|title|placeholder)=/, path);
  }
});

test('style sheets hold no texts', () => {
  const css = new URL('../../Web/css/', import.meta.url);
  for (const path of readdirSync(css)) {
    assert.doesNotMatch(readFileSync(new URL(path, css), 'utf8'), /content:\s*["'][^"']*\p{L}/u, path);
  }
});

test('the check finds sentences, labels of buttons and parts of templates', () => {
  const code = "make('b', { text: 'Show' }); say(`${name} has the book`) // 'A comment'\n" +
    "make('p', { class: 'row acts' })";
  assert.deepEqual(literals(code).filter(isSaid), ['Show', ' has the book']);
});

test('every entry of a table is used', async () => {
  const code = files.filter((path) => !tables.includes(path))
    .map((path) => readFileSync(new URL(path, top), 'utf8')).join('\n');
  // The codes of notices.js and of news are those of the server.
  for (const path of english.filter((one) => one !== 'words/notices.js')) {
    const { WORDS } = await import(new URL(path, top));
    for (const [name, entry] of Object.entries(WORDS)) {
      const isTable = name !== 'news' && typeof entry === 'object' && !Array.isArray(entry) &&
        Number.isNaN(Number(Object.keys(entry)[0]));
      const inner = isTable ? Object.keys(entry) : [];
      for (const one of [name, ...inner]) assert.match(code, new RegExp(`\\b${one}\\b`), `${path}: ${one}`);
    }
  }
});
