import type { RunRecording } from './yield-folder.ts';

/** Repeats recorded calls of the supervisor, one after the other. */
export const runCliTranscripts: RunRecording = async () => [];
