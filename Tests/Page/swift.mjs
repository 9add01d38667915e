/** The texts in Swift code. */

/** Returns the position behind an interpolation that begins at its parenthesis. */
function behind(code, open) {
  let depth = 0;
  for (let n = open; n < code.length; n += 1) {
    if (code[n] === '(') depth += 1;
    if (code[n] === '"') n = literalAt(code, n).end - 1;
    if (code[n] === ')' && (depth -= 1) === 0) return n + 1;
  }
  return code.length;
}

const ESCAPES = { n: '\n', t: '\t', '"': '"', '\\': '\\', 0: '\0' };

/** Returns the literal at a quotation mark as {parts, end}; its interpolations are between its parts. */
function literalAt(code, start) {
  const parts = [''];
  let n = start + 1;
  while (n < code.length && code[n] !== '"') {
    if (code[n] !== '\\') {
      parts[parts.length - 1] += code[n];
      n += 1;
    } else if (code[n + 1] === '(') {
      n = behind(code, n + 1);
      parts.push('');
    } else if (code[n + 1] === 'u') {
      const [whole, digits] = /^\\u\{(\w+)\}/.exec(code.slice(n));
      parts[parts.length - 1] += String.fromCodePoint(Number.parseInt(digits, 16));
      n += whole.length;
    } else {
      parts[parts.length - 1] += ESCAPES[code[n + 1]];
      n += 2;
    }
  }
  return { parts, end: n + 1 };
}

/** Returns whether a text is at least a short sentence, and not a name or a key. */
const isSentence = (text) => /\p{L}{2,} .*\p{L}{2,}.* \p{L}{2,}|^Goodbye/u.test(text);

/** Returns the sentences in Swift code, with v0, v1 and so on for interpolations; joined literals are one. */
export function sentencesIn(code, isWanted = isSentence) {
  const found = [];
  for (let n = 0; n < code.length; n += 1) {
    if (code.startsWith('//', n)) n = code.indexOf('\n', n);
    if (code[n] !== '"') continue;
    let { parts, end } = literalAt(code, n);
    for (let next = /^\s*\+ "/.exec(code.slice(end)); next; next = /^\s*\+ "/.exec(code.slice(end))) {
      const more = literalAt(code, end + next[0].length - 1);
      parts = [...parts.slice(0, -1), parts.at(-1) + more.parts[0], ...more.parts.slice(1)];
      ({ end } = more);
    }
    const text = parts.reduce((before, part, place) => `${before}v${place - 1}${part}`);
    if (isWanted(text)) found.push(text);
    n = end - 1;
  }
  return found;
}
