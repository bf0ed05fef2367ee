/** A slash after one of these begins a regular expression; after anything else it divides. */
const BEFORE_REGEXP = /(?:^|[=([{,;:!&|?+\-*%<>~^]|=>|\b(?:return|typeof|case|in|of|void|delete))\s*$/;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' };

/**
 * The texts that a piece of JavaScript holds: strings and templates, without names, comments and regular expressions.
 * What is between `${` and `}` stands as a space in the text around it, and its own texts follow.
 */
export function stringLiterals(source: string): string[] {
  const found: string[] = [];
  scanCode(source, 0, found);
  return found;
}

/** @returns where the code ends: behind the `}` that closes the part of a template, or at the end */
function scanCode(source: string, from: number, found: string[]): number {
  let depth = 0;
  let at = from;
  while (at < source.length) {
    const char = source[at];
    if (char === '"' || char === "'") {
      at = scanQuoted(source, at, char, found);
    } else if (char === '`') {
      at = scanTemplate(source, at, found);
    } else if (char === '/') {
      at = skipSlash(source, at);
    } else {
      if (char === '{') depth += 1;
      if (char === '}' && depth === 0) return at + 1;
      if (char === '}') depth -= 1;
      at += 1;
    }
  }
  return at;
}

function scanQuoted(source: string, from: number, quote: string, found: string[]): number {
  let text = '';
  let at = from + 1;
  while (at < source.length && source[at] !== quote) {
    const [piece, next] = readCharacter(source, at);
    text += piece;
    at = next;
  }
  found.push(text);
  return at + 1;
}

function scanTemplate(source: string, from: number, found: string[]): number {
  let text = '';
  let at = from + 1;
  const inner: string[] = [];
  while (at < source.length && source[at] !== '`') {
    if (source.startsWith('${', at)) {
      at = scanCode(source, at + 2, inner);
      text += ' ';
    } else {
      const [piece, next] = readCharacter(source, at);
      text += piece;
      at = next;
    }
  }
  found.push(text, ...inner);
  return at + 1;
}

function readCharacter(source: string, at: number): [string, number] {
  if (source[at] !== '\\') return [source.charAt(at), at + 1];
  const escaped = source.charAt(at + 1);
  return [ESCAPES[escaped] ?? escaped, at + 2];
}

/** Passes a comment, a regular expression or a mere sign of division. */
function skipSlash(source: string, at: number): number {
  if (source[at + 1] === '/') return orEnd(source.indexOf('\n', at), source);
  if (source[at + 1] === '*') return orEnd(source.indexOf('*/', at + 2), source) + 2;
  if (!BEFORE_REGEXP.test(source.slice(Math.max(0, at - 20), at))) return at + 1;
  let inClass = false;
  for (let end = at + 1; end < source.length; end += 1) {
    const char = source[end];
    if (char === '\n') return at + 1;
    if (char === '\\') end += 1;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '/' && !inClass) return end + 1;
  }
  return at + 1;
}

function orEnd(index: number, source: string): number {
  return index === -1 ? source.length : index;
}
