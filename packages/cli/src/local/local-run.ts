import { dirname } from 'node:path';
import {
  type AssetJob,
  type JobNoticed,
  type StepError,
  type StepJob,
  type StepResult,
  type TraceEvent,
  turnId,
} from '@skillyard/contracts';
import { delegateResult, type Mode, type TurnSettings } from '@skillyard/engine';
import { createExecutors, type Executors, localMemory } from '@skillyard/executors';
import {
  createSkillFinder,
  type JobContext,
  type LoadedConfig,
  retryPolicy,
  runTurn,
  type TurnReport,
  turnSettings,
  withRetries,
} from '@skillyard/runtime';
import { v7 as uuid } from 'uuid';
import type { AnswerQuestions } from '../questions/local-answers.ts';
import type { SkillSource } from '../skill/read-skill.ts';
import type { Surroundings } from '../surroundings.ts';
import { type ChildTurn, prepareDelegate, prepareSkill, tooDeep, tooDeepResult } from './delegate.ts';

export interface LocalRunOptions {
  readonly source: SkillSource;
  /** Which of its descriptions runs. Skills that are delegated to run the one that is in effect in them. */
  readonly mode: Mode;
  readonly loaded: LoadedConfig;
  readonly surroundings: Surroundings;
  readonly fanOut?: TurnSettings['fanOut'];
  /** Answers the questions that its steps ask. */
  readonly answer: AnswerQuestions;
  /** Events of delegated turns come with the names of the skills around them, outermost first. */
  readonly onEvent: (event: TraceEvent, within: readonly string[]) => void;
}

/** Turns of one skill, and of those it delegates to, in this process. */
export interface LocalRun {
  run(vars: Readonly<Record<string, string>>, signal: AbortSignal): Promise<TurnReport>;
  /** Ends the tool servers. */
  close(): Promise<void>;
}

/** Sets up the executors of a configuration. Nothing is connected to or started before a step needs it. */
export function openLocalRun(options: LocalRunOptions): LocalRun {
  const { source, mode, loaded, surroundings, fanOut, answer, onEvent } = options;
  const { config, baseDir } = loaded;
  const { env } = surroundings;
  const rootId = turnId(uuid());
  const settings = turnSettings(config, fanOut);
  const policy = retryPolicy(config);
  const finder = createSkillFinder([...(config.skills ?? []), dirname(source.path)]);
  // Turns that are delegated to may read what was handed to them by handle.
  const memory = localMemory({ rootOf: () => rootId, maxBytes: config.memory?.max_bytes });
  const ownFolder = dirname(source.path);
  const executors = createExecutors({
    config,
    env,
    baseDir,
    memory,
    assetRoot: ownFolder,
    codeFolders: [ownFolder],
  });
  const assets = new AssetFolders(executors, ownFolder, (assetRoot) =>
    createExecutors({ config: config.assets ? { assets: config.assets } : {}, env, baseDir, assetRoot }),
  );
  let children = 0;

  const runSkill = (turn: ChildTurn, signal: AbortSignal): Promise<TurnReport> => {
    const { program, radius, folder } = turn;
    return runTurn({
      program,
      ...(radius && { radius }),
      turnId: turn.turnId,
      vars: turn.vars,
      settings,
      signal,
      ...(config.concurrency !== undefined && { concurrency: config.concurrency }),
      onEvent: (event) => onEvent(event, turn.within),
      execute: withRetries(
        (job, context) => {
          if (job.kind === 'delegate') return runDelegate(turn, job, context);
          if (job.kind === 'ask') return answer(job, context);
          return job.kind === 'asset'
            ? assets.of(job, folder).execute(job, context)
            : executors.execute(job, context);
        },
        {
          policy,
          effectOf: async ({ server, tool }, abort) => executors.effectOf(server, tool, abort),
          onRetry: (job, attempt, error) => onEvent(retried(job, attempt, error), turn.within),
        },
      ),
    });
  };

  const runDelegate = async (
    turn: ChildTurn,
    job: Extract<StepJob, { kind: 'delegate' }>,
    context: JobContext,
  ): Promise<StepResult> => {
    const within = [...turn.within, job.skill];
    if (tooDeep(within)) return tooDeepResult(job, within);
    const child = await prepareDelegate(job, finder);
    if ('jobId' in child) return child;
    children += 1;
    const childId = `${rootId}-${children}`;
    const report = await runSkill(
      { ...child, vars: { input: job.task }, within, turnId: childId },
      context.signal,
    );
    return delegateResult(job, report.outcome);
  };

  return {
    run: async (vars, signal) => {
      const prepared = await prepareSkill(source, mode, finder);
      return runSkill({ ...prepared, vars, within: [], turnId: rootId }, signal);
    },
    close: () => executors.close(),
  };
}

function retried(job: StepJob, attempt: number, error: StepError): JobNoticed {
  const { id: jobId, path } = job;
  const reason = `${error.code}: ${error.message}`;
  return {
    type: 'job.noticed',
    path,
    jobId,
    what: 'retried',
    attempt,
    reason,
    worker: '',
    atMs: Date.now(),
  };
}

/**
 * File assets are read below the folder of the skill that declares them, also of one that is delegated to. Tool servers
 * are those of the run, whatever the folder: they are started once and ended with it.
 */
class AssetFolders {
  readonly #own: Executors;
  readonly #byFolder: Map<string, Executors>;
  readonly #open: (folder: string) => Executors;

  constructor(own: Executors, folder: string, open: (folder: string) => Executors) {
    this.#own = own;
    this.#byFolder = new Map([[folder, own]]);
    this.#open = open;
  }

  of({ asset }: AssetJob, folder: string): Executors {
    if (asset.source === 'mcp') return this.#own;
    let executors = this.#byFolder.get(folder);
    if (executors === undefined) this.#byFolder.set(folder, (executors = this.#open(folder)));
    return executors;
  }
}
