#!/usr/bin/env node
import { runCommandLine } from './command-line.ts';
import { processSurroundings } from './process-surroundings.ts';

/** Longer than this nothing may keep the process after its command is done: a connection, a child that does not end. */
const LINGER_MS = 2000;

process.exitCode = await runCommandLine(process.argv.slice(2), processSurroundings());
// Not before everything is written: a reader of the pipe may take its time.
process.stdout.write('', () => setTimeout(() => process.exit(), LINGER_MS).unref());
