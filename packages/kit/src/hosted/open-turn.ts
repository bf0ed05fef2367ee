import type { Json, Observation } from '@skillyard/contracts';
import type { ObserverMap, References, SkillDefinition } from '../definition/skill-definition.ts';
import { openRun, type Run } from '../workflow/run.ts';
import type { Remembered } from './turn-memo.ts';

/** What a hosted skill needs of the process it runs in. */
export interface HostedOptions {
  /** Reads files that lie beside the skill; absent: there are none. */
  readonly references?: References;
  /** Takes a line about something that is odd and does no harm. */
  readonly warn?: (line: string) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** The name by which prompts know where they run. */
const HOST = 'skillyard';

/**
 * Opens the run of a turn and takes up what is recorded of it.
 * @param observed takes what observers are told; absent: nobody is told anything
 * @throws KitError PARAMS_INVALID, and as `openRun`
 */
export function openTurn(
  definition: SkillDefinition,
  { params, records }: Pick<Remembered, 'params' | 'records'>,
  { references, warn, now }: HostedOptions,
  observed?: Observation[],
): Run {
  const run = openRun(observed === undefined ? definition : withObserver(definition, observed), {
    ...(params !== undefined && { params }),
    handshake: { host: HOST },
    ...(references !== undefined && { references }),
    ...(warn !== undefined && { warn }),
    ...(now !== undefined && { now }),
    stopAtActions: true,
    observers: observed !== undefined,
  });
  if (records.length > 0) run.replay(records);
  return run;
}

/** A value as JSON has it; what JSON does not know is left out. */
export function asJson(value: unknown): Json {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value) ?? 'null') as Json);
}

/**
 * Listens along with the observers of a skill and of its sub-skills. What people and models said is not repeated: the
 * trace shows what happened, and whoever may see contents finds them with the jobs.
 */
function withObserver(definition: SkillDefinition, observed: Observation[]): SkillDefinition {
  const { subskills } = definition;
  return {
    ...definition,
    observers: listening(definition.observers, observed),
    ...(subskills !== undefined && {
      subskills: Object.fromEntries(
        Object.entries(subskills).map(([name, use]) => [
          name,
          { ...use, definition: withObserver(use.definition, observed) },
        ]),
      ),
    }),
  };
}

function listening(own: ObserverMap | undefined, observed: Observation[]): ObserverMap {
  const note = (event: Observation['event'], step: string, data: Observation['data']): void => {
    observed.push({ event, step, data });
  };
  return {
    onStepStart: (event) => {
      note('onStepStart', event.step, {});
      return own?.onStepStart?.(event);
    },
    onStepComplete: (event) => {
      note('onStepComplete', event.step, {});
      return own?.onStepComplete?.(event);
    },
    onStepValidationFailed: (event) => {
      note('onStepValidationFailed', event.step, { error: event.error, attempt: event.attempt });
      return own?.onStepValidationFailed?.(event);
    },
    onTransition: (event) => {
      note('onTransition', event.from, { to: event.to, reason: event.reason });
      return own?.onTransition?.(event);
    },
    onSkillComplete: (event) => {
      note('onSkillComplete', event.path.at(-1) ?? '', {});
      return own?.onSkillComplete?.(event);
    },
  };
}
