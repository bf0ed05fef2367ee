/** The log of a run: one JSON object a line, only ever added to. A line is written when it is on the disk. */
import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { isErrno } from '@skillyard/processes';
import { ProgramError } from '../program-error.ts';
import { compactJson, MAX_DEPTH } from '../protocol/json-text.ts';
import { Fields } from '../protocol/fields.ts';
import { noSuchRun, openPrivate, type RunFiles } from './run-files.ts';

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR } = constants;
const NEWLINE = 0x0a;
/** A record has its data in it, and these the text that came from others. */
const DEEPEST_LINE = MAX_DEPTH + 2;

/** One line. */
export interface LogRecord {
  /** 1 for the first line. */
  readonly seq: number;
  readonly type: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** A compact text. */
  readonly data: string;
}

/** What a log holds. */
export interface LogContent {
  readonly records: readonly LogRecord[];
  /** `unended`: the last line lacks nothing but its end. `torn`: what follows the whole lines is a part of one, and no record. */
  readonly ending: 'whole' | 'unended' | 'torn';
  /** How many bytes the records take. */
  readonly wholeBytes: number;
}

/**
 * Reads a log. A last line that was not written to its end was never told to anybody, so it is left out.
 * @throws ProgramError NOT_FOUND; LOG_CORRUPT for any other line that is none
 */
export function readLog(files: RunFiles): LogContent {
  const descriptor = openLog(files, O_RDONLY);
  try {
    return contentOf(readFileSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

/** A log that its holder adds to. */
export class RunLog {
  readonly #descriptor: number;
  #lastSeq: number;

  private constructor(descriptor: number, lastSeq: number) {
    this.#descriptor = descriptor;
    this.#lastSeq = lastSeq;
  }

  /** A new log, in a folder that is there. */
  static create(files: RunFiles): RunLog {
    const log = new RunLog(openPrivate(files.log, O_RDWR | O_APPEND | O_CREAT | O_EXCL), 0);
    syncFolder(dirname(files.log));
    return log;
  }

  /**
   * Opens a log to go on with it, and cuts off what a death while writing has left.
   * @throws ProgramError as {@link readLog}
   */
  static open(files: RunFiles): { readonly log: RunLog; readonly content: LogContent } {
    const descriptor = openLog(files, O_RDWR | O_APPEND);
    try {
      const content = contentOf(readFileSync(descriptor));
      if (content.ending === 'torn') ftruncateSync(descriptor, content.wholeBytes);
      if (content.ending === 'unended') writeSync(descriptor, '\n');
      if (content.ending !== 'whole') fsyncSync(descriptor);
      return { log: new RunLog(descriptor, content.records.length), content };
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  /**
   * Adds a line and waits until it is on the disk.
   * @param data a compact text
   */
  append(type: string, data: string): LogRecord {
    const record: LogRecord = { seq: this.#lastSeq + 1, type, at: new Date().toISOString(), data };
    const line = Buffer.from(
      `{"seq":${record.seq},"type":${JSON.stringify(type)},"at":"${record.at}","data":${data}}\n`,
    );
    for (let written = 0; written < line.length;)
      written += writeSync(this.#descriptor, line, written, line.length - written);
    fsyncSync(this.#descriptor);
    this.#lastSeq = record.seq;
    return record;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function openLog(files: RunFiles, flags: number): number {
  try {
    return openPrivate(files.log, flags);
  } catch (error) {
    if (isErrno(error, 'ENOENT'))
      throw noSuchRun(files.runId, `: open ${files.log}: no such file or directory`, error);
    if (isErrno(error, 'ELOOP'))
      throw new ProgramError('LOG_CORRUPT', `${files.log} is a link: a log is a file`, { cause: error });
    throw error;
  }
}

function contentOf(bytes: Buffer): LogContent {
  const records: LogRecord[] = [];
  let [wholeBytes, number] = [0, 0];
  const take = (end: number) => {
    number += 1;
    const record = readLine(bytes.subarray(wholeBytes, end), number);
    if (record !== null) records.push(record);
    if (record !== null && record.seq !== records.length)
      throw new ProgramError(
        'LOG_CORRUPT',
        `run log sequence broken at line ${number}: got seq ${record.seq}, want ${records.length}`,
      );
  };
  // Line by line: a log may be longer than any text can be.
  for (let end = 0; (end = bytes.indexOf(NEWLINE, wholeBytes)) >= 0; wholeBytes = end + 1) take(end);
  if (wholeBytes === bytes.length) return { records, ending: 'whole', wholeBytes };
  if (!isWhole(bytes.subarray(wholeBytes))) return { records, ending: 'torn', wholeBytes };
  take(bytes.length);
  return { records, ending: 'unended', wholeBytes: bytes.length };
}

/** @returns null for a line with nothing in it */
function readLine(bytes: Buffer, number: number): LogRecord | null {
  try {
    if (!isUtf8(bytes)) throw new SyntaxError('it is no UTF-8');
    const line = bytes.toString('utf8');
    if (line.trim() === '') return null;
    const record = new Fields(compactJson(line, DEEPEST_LINE), 'record', ['seq', 'type', 'at', 'data']);
    const data = record.text('data');
    if (data === null) throw new SyntaxError('record data is missing');
    return { seq: record.integer('seq', 1), type: record.string('type'), at: record.string('at'), data };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ProgramError('LOG_CORRUPT', `corrupt run log at line ${number}: ${error.message}`, {
      cause: error,
    });
  }
}

/** No object is the beginning of another one, so what is JSON was written to its end. */
function isWhole(line: Buffer): boolean {
  if (!isUtf8(line)) return false;
  try {
    compactJson(line.toString('utf8'), DEEPEST_LINE);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** So that the name of a new file outlives a power cut, too. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
