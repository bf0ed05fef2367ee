/** What the original supervisor was called with and what it said, one step after another. */
export interface RecordedTranscripts {
  readonly steps: readonly TranscriptStep[];
}

interface InScenario {
  readonly scenario: string;
}

/** One call of the command line. */
export interface CallStep extends InScenario {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly stdin?: string | null;
  readonly env?: Readonly<Record<string, string>> | null;
  readonly exit_code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** More was printed than was recorded. */
  readonly stdout_note?: string;
  readonly stderr_note?: string;
}

/** The lines of the log of the run that was spoken of last. */
export interface LogStep extends InScenario {
  readonly run_log: readonly string[];
}

/** What lay somewhere: before the next call, or after the last. */
export interface FileStep extends InScenario {
  /** What the next `resume` reads. */
  readonly response_file?: unknown;
  /** What the skill of the next call prints, whatever it is started with. */
  readonly raw_program_stdout?: string;
  readonly skill?: string;
  readonly skill_json?: unknown;
  readonly fixtures?: Readonly<Record<string, string>>;
  readonly program_source?: string;
  readonly note?: string;
  /** Files that the last call left in the folder of its skill. */
  readonly files?: Readonly<Record<string, string>>;
  readonly runs_left?: boolean;
  readonly kept_runs?: number;
  readonly files_in_runs?: readonly string[];
  readonly tree?: Readonly<Record<string, string>>;
  /** A file and how it begins. */
  readonly file?: string;
  readonly content?: string;
}

export type TranscriptStep = CallStep | LogStep | FileStep;

/** The steps of a scenario, with where they stand in it. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly TranscriptStep[];
}

export const RUN_NAME = /<run-(\d+)>/g;

export function isCall(step: TranscriptStep): step is CallStep {
  return 'argv' in step;
}

export function isLog(step: TranscriptStep): step is LogStep {
  return 'run_log' in step;
}

/**
 * The scenarios, apart by the folder they were recorded in: where a run is started that has the number of an earlier one,
 * the recording began anew, in a new folder.
 */
export function readScenarios({ steps }: RecordedTranscripts): readonly (readonly Scenario[])[] {
  const scenarios: { name: string; steps: TranscriptStep[] }[] = [];
  for (const step of steps) {
    const last = scenarios.at(-1);
    if (last?.name === step.scenario) last.steps.push(step);
    else scenarios.push({ name: step.scenario, steps: [step] });
  }
  const folders: Scenario[][] = [[]];
  let highest = 0;
  for (const scenario of scenarios) {
    const numbers = [...JSON.stringify(scenario.steps).matchAll(RUN_NAME)].map(([, number]) =>
      Number(number),
    );
    const startsRuns = scenario.steps.some(
      (step) => isCall(step) && step.argv[1] === 'run' && step.exit_code === 0,
    );
    if (startsRuns && numbers.length > 0 && Number(numbers[0]) <= highest) {
      folders.push([]);
      highest = 0;
    }
    folders.at(-1)?.push(scenario);
    highest = Math.max(highest, ...numbers);
  }
  return folders;
}

/** The folder of the skill that a call is about, from its working folder; null when it names none. */
export function skillFolderOf({ argv }: CallStep): string | null {
  const flag = argv.indexOf('--skill');
  if (flag > 0) return argv[flag + 1] ?? null;
  const [, verb = '', word] = argv;
  return ONE_FOLDER.has(verb) && word !== undefined && !word.startsWith('-') ? word : null;
}

const ONE_FOLDER = new Set(['run', 'test', 'prune', 'register', 'register-all', 'doctor', 'init']);
