import { closeSync, constants, fsyncSync, readFileSync, writeSync } from 'node:fs';
import { isErrno } from '@skillyard/processes';
import { ProgramError } from '../program-error.ts';
import { textDigest } from '../protocol/digest.ts';
import { compactJson } from '../protocol/json-text.ts';
import { openPrivate, type RunFiles } from './run-files.ts';

const { O_CREAT, O_EXCL, O_RDONLY, O_WRONLY } = constants;
const NO_INPUT = textDigest('');

/** Keeps a copy of the input of a run: what it was given with may be changed before the program is run again. */
export function keepInput(files: RunFiles, bytes: Uint8Array): void {
  const descriptor = openPrivate(files.input, O_WRONLY | O_CREAT | O_EXCL);
  try {
    for (let written = 0; written < bytes.length;)
      written += writeSync(descriptor, bytes, written, bytes.length - written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The input of a run, as it stands in a journal: compact when it is JSON, else as a JSON string.
 * @param digest what the log says of it
 * @returns null: the run has none
 * @throws ProgramError LOG_CORRUPT when the copy is gone, or is another one
 */
export function readInput(files: RunFiles, digest: string): string | null {
  const bytes = copyOf(files);
  if (bytes === null && digest === NO_INPUT) return null;
  if (bytes === null)
    throw new ProgramError(
      'LOG_CORRUPT',
      `the input of run ${files.runId} is gone: put it back as ${files.input}`,
    );
  if (textDigest(bytes) !== digest)
    throw new ProgramError(
      'LOG_CORRUPT',
      `the input of run ${files.runId} has changed since the run was started: ${files.input} must have the digest ${digest}`,
    );
  const text = bytes.toString('utf8');
  try {
    return compactJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return JSON.stringify(text);
    throw error;
  }
}

function copyOf(files: RunFiles): Buffer | null {
  let descriptor: number;
  try {
    descriptor = openPrivate(files.input, O_RDONLY);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  }
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
