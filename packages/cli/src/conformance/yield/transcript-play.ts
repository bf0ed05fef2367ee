import type { TranscriptStep } from './transcript.ts';
import type { TranscriptNames } from './transcript-names.ts';
import type { RunMemory } from './transcript-run.ts';
import type { RawOutput } from './transcript-skills.ts';
import type { YieldFolder } from './yield-folder.ts';

/** A recording that is being repeated: what is there by now, and what is known of it. */
export interface TranscriptPlay {
  /** Of the file of the recording. */
  readonly name: string;
  readonly folder: YieldFolder;
  readonly rawOutput: RawOutput;
  /** What calls see of the environment besides what was recorded. */
  readonly env: Readonly<Record<string, string>>;
  readonly names: TranscriptNames;
  /** Folders of skills that were made. */
  readonly skills: Set<string>;
  /** By the ids of runs. */
  readonly memories: Map<string, RunMemory>;
  /** What calls said of adapters that are not ours: they stay. */
  readonly foreignAdapters: string[];
  /** What `inspect` said of a run last. */
  readonly inspected: Map<string, string>;
}

/** Where a scenario stands. */
export interface ScenarioState {
  readonly steps: readonly TranscriptStep[];
  /** The folder of the skill that was spoken of last, absolute. */
  skill: string;
}
