import { StringDecoder } from 'node:string_decoder';

/** A line longer than this is not read: it would be held in memory several times over. */
export const LONGEST_LINE_BYTES = 64 * 1024 * 1024;

/**
 * Gives the lines of a stream as they are complete. A line that grows past the limit is dropped.
 * @param tooLong told of a dropped line, with what has come of it
 */
export function readLines(
  stream: NodeJS.ReadableStream,
  take: (line: string) => void,
  tooLong?: (start: string) => void,
): void {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  let held = 0;
  stream.on('data', (chunk: Buffer) => {
    const lines = decoder.write(chunk).split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      take([...parts, line].join('').replace(/\r$/, ''));
      parts = [];
      held = 0;
    }
    parts.push(last);
    held += last.length;
    if (held > LONGEST_LINE_BYTES) {
      const start = parts.join('');
      parts = [];
      held = 0;
      tooLong?.(start);
    }
  });
  stream.on('end', () => {
    const rest = parts.join('');
    if (rest !== '') take(rest);
  });
}
