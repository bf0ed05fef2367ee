import { SkillyardError } from '@skillyard/contracts';
import { ProgramError } from '@skillyard/program';
import { type DecidedProgram, decideProgram, readHostedSettings } from '@skillyard/program/hosted';
import { launchProgram, readManifest } from '@skillyard/program/supervisor';
import { withDeadline } from '../deadline.ts';
import type { CodeBundles } from './code-bundles.ts';
import type { DecisionAsked } from './decision-asked.ts';
import type { HostDeadline } from './host-process.ts';
import type { Redact } from '../redaction.ts';
import { LastWords } from './last-words.ts';

export interface ProgramRunnerOptions {
  readonly bundles: CodeBundles;
  /** All of it, but for what the protocol adds: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Heap of a program that is run by Node. */
  readonly memoryMb?: number | undefined;
  readonly redact: Redact;
}

/** A longer output is no operation and no end that a turn could take. */
const MOST_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Runs programs for the decisions of their turns: each time a process of its own, which ends with the decision. */
export class ProgramRunner {
  readonly #options: ProgramRunnerOptions;

  constructor(options: ProgramRunnerOptions) {
    this.#options = options;
  }

  /**
   * Decides what a turn does next.
   * @throws SkillyardError CODE_UNKNOWN, CODE_FAILED with the last words of the program, `deadline.late`
   */
  async decide(
    { turnId, code, rounds, event }: DecisionAsked,
    { signal, timeoutMs, late }: HostDeadline,
  ): Promise<DecidedProgram> {
    const { bundles } = this.#options;
    const env = programEnvironment(this.#options);
    const { folder, name, sha256 } = await bundles.find(code);
    const stderr = new LastWords(this.#options.redact);
    try {
      const manifest = await readManifest(folder);
      const settings = readHostedSettings(manifest?.hosted);
      return await withDeadline(signal, timeoutMs, late, (limited) =>
        decideProgram({
          rounds,
          event,
          runId: `run_${turnId}`,
          skill: { name, digest: `sha256:${sha256}` },
          settings,
          launch: (journal) =>
            launchProgram({
              folder,
              manifest,
              journal,
              env,
              timeoutMs,
              signal: limited,
              maxBytes: MOST_OUTPUT_BYTES,
              onStderr: (text) => stderr.hear(text),
            }),
        }),
      );
    } catch (error) {
      if (!ProgramError.is(error)) throw error;
      const message = `The skill "${name}" cannot go on: ${error.message}.${stderr.inWords()}`;
      throw new SkillyardError('CODE_FAILED', message, { details: { skill: name }, cause: error });
    }
  }
}

/** How a program is started is its own business: one of Node finds its limit in the environment. */
function programEnvironment({ env, memoryMb }: ProgramRunnerOptions): Readonly<Record<string, string>> {
  if (memoryMb === undefined) return env;
  const { NODE_OPTIONS: own = '' } = env;
  return { ...env, NODE_OPTIONS: `${own} --max-old-space-size=${memoryMb}`.trim() };
}
