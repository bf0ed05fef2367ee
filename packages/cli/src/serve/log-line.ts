import { isRecord } from '../is-record.ts';
import { oneLine } from '../terminal/terminal.ts';

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
/** What every line of a log has, and a reader of one screen does not need. */
const NOISE = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg']);

/** A line of a service's log for people: level, message, and what it is about. Other lines stay as they are. */
export function renderLogLine(line: string): string {
  const entry = parse(line);
  if (entry === undefined) return oneLine(line, 2000);
  const level = LEVELS[Number(entry['level'])] ?? 'info';
  const facts = Object.entries(entry)
    .filter(([key]) => !NOISE.has(key))
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return oneLine([level.padEnd(5), String(entry['msg']), ...facts].join(' '), 2000);
}

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) && typeof value['msg'] === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
