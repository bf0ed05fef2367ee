import { compactJson, membersOf, textDigest } from '@skillyard/program/supervisor';
import { isRecord } from '../../is-record.ts';
import { fitsText } from './fits-text.ts';
import { readExact } from './yield-folder.ts';

/** A line of a log, without its number and its time. */
export interface LogLine {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A line of ours: as it is, and with the names of the recording. */
interface OwnLine {
  readonly text: string;
  readonly named: string;
}

/** What becomes of a recorded log by a correction. */
export type LogEdit = (lines: readonly LogLine[]) => readonly LogLine[];

/** What people read; and the digest of a program that was changed in a way that was not recorded. */
const MAY_BE_WORDS = ['detail', 'reason', 'got_digest'];
const RESULTS_STAY = 'the digest of a result is of its compact text, which is not escaped again';
const BYTES_ARE_KEPT = 'output that is no text is kept as the bytes it is';

/** What the original writes for characters that mean something to HTML, and for line ends of JavaScript. */
const ESCAPED = /\\u(003c|003e|0026|2028|2029)/g;

/**
 * Reads recorded lines. Digests of results are of the bytes that were given, white space and all, or of what they were escaped to:
 * in place of such a one stands the digest of the compact text.
 * @param reasons has a reason more where a digest was replaced
 */
export function readRecordedLog(lines: readonly string[], reasons: Set<string>): readonly LogLine[] {
  return lines.map((line) => {
    const { type, data } = readExact(line) as LogLine;
    if (data['result_digest'] === undefined) return { type, data };
    const raw = textAt(textAt(line, 'data'), 'result');
    const own = textDigest(unescaped(raw));
    const others = [raw, spacedText(raw)].map((text) => textDigest(text));
    if (data['result_digest'] === own || !others.some((digest) => digest === data['result_digest']))
      return { type, data };
    reasons.add(RESULTS_STAY);
    return { type, data: { ...data, result_digest: own } };
  });
}

/** Numbers lines as logs are numbered. */
export function numbered(lines: readonly LogLine[]): readonly unknown[] {
  return lines.map(({ type, data }, index) => ({ seq: `#${index + 1}`, type, at: '<time>', data }));
}

/**
 * Reads our lines beside the recorded ones: where words may be other words, the recorded ones stand.
 * @param reasons has a reason more where output was kept as bytes
 */
export function readOwnLog(
  lines: readonly OwnLine[],
  recorded: readonly LogLine[],
  reasons: Set<string>,
): readonly unknown[] {
  return lines.map(({ text, named }, index) => {
    const line = readExact(named);
    const data = isRecord(line) ? line['data'] : undefined;
    const there = recorded[index]?.data;
    if (!isRecord(line) || !isRecord(data) || there === undefined) return line;
    const settled: Record<string, unknown> = { ...data };
    for (const key of MAY_BE_WORDS) {
      const [expected, got] = [there[key], data[key]];
      if (typeof expected === 'string' && typeof got === 'string' && fitsText(expected, got))
        settled[key] = expected;
    }
    const result = withoutBytes(there['result'], data['result']);
    if (
      result !== undefined &&
      data['result_digest'] === textDigest(textAt(textAt(text, 'data'), 'result'))
    ) {
      Object.assign(settled, { result, result_digest: there['result_digest'] });
      reasons.add(BYTES_ARE_KEPT);
    }
    return { ...line, data: settled };
  });
}

/** A JSON text as it was before the original wrote it. */
export function unescaped(json: string): string {
  return json.replaceAll(ESCAPED, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

/** A compact JSON text as Python writes it: with a blank behind each comma and colon. */
export function spacedText(compact: string): string {
  return compact.replaceAll(/"(?:[^"\\]|\\.)*"|[,:]/g, (token) =>
    token.startsWith('"') ? token : `${token} `,
  );
}

/** The text of a member; empty where there is none. */
function textAt(json: string, key: string): string {
  return new Map(membersOf(compactJson(json))).get(key) ?? '';
}

/** What a command came to without where its bytes are; undefined where all of them are in its text. */
function withoutBytes(recorded: unknown, actual: unknown): unknown {
  if (!isRecord(recorded) || !isRecord(actual)) return undefined;
  const { stdout_ref: stdout, stderr_ref: stderr, ...rest } = actual;
  const kept = [
    ...(stdout === undefined ? [] : [recorded['stdout']]),
    ...(stderr === undefined ? [] : [recorded['stderr']]),
  ];
  const areDamaged = kept.every((text) => typeof text === 'string' && text.includes('\u{FFFD}'));
  return kept.length > 0 && areDamaged ? rest : undefined;
}
