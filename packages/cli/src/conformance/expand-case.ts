import { type CallJob, SkillyardError, type StepJob } from '@skillyard/contracts';
import {
  applyResult,
  compileProgram,
  expandTemplate,
  loadSkill,
  parseTemplate,
  startTurn,
} from '@skillyard/engine';
import { AnswerOrder } from './answer-order.ts';
import { caseEnvironment, type EnvironmentInput } from './case-environment.ts';
import { Doubles, filledArguments } from './doubles.ts';
import { CASE_TURN, readVocabulary } from './execute-case.ts';

interface ExpandInput extends EnvironmentInput {
  readonly text: string;
  readonly form: 'model' | 'args' | 'whole';
}

/** `expand`: a text with its values put in, as a model, a call or a model without tools sees it. */
export function expandCase(input: ExpandInput): unknown {
  if (input.form === 'args') return expandArgument(input);
  try {
    const { text, unreachable } = expandTemplate(
      parseTemplate(input.text),
      caseEnvironment(input),
      input.form,
    );
    return { ok: true, value: text, ...(input.form === 'whole' && { unreachable }) };
  } catch (error) {
    return refusal(error);
  }
}

/** An argument is expanded in two places: by the machine, and by the worker that makes the call. */
function expandArgument(input: ExpandInput): unknown {
  const assets = Object.entries(input.assets ?? {}).map(([name, content]) => [
    name,
    { kind: 'text', content },
  ]);
  const skill = {
    skill_engine_version: '2.0.0',
    name: 'expand',
    description: 'One argument.',
    workflow: {
      tools: ['case'],
      assets: Object.fromEntries(assets) as unknown,
      steps: [{ call: { tool: 'case:argument', args: { value: input.text } } }],
    },
  };
  // JSON is YAML.
  const loaded = loadSkill(JSON.stringify(skill));
  if (loaded.skill === null) return { ok: false };
  const settings = { vocabulary: readVocabulary(input.vocabulary) };
  const doubles = new Doubles({ assets: input.assets ?? {}, memory: input.memory ?? {} }, new AnswerOrder());
  const { turn, advance } = startTurn(
    compileProgram(loaded.skill, 'workflow'),
    { turnId: CASE_TURN, vars: input.vars ?? {}, settings },
    0,
  );
  const waiting: StepJob[] = [...advance.jobs];
  for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
    if (job.kind === 'call') return { ok: true, value: argument(job, input) };
    waiting.push(...applyResult(turn, doubles.execute(job), 0).jobs);
  }
  return { ok: false };
}

function argument(job: CallJob, input: ExpandInput): unknown {
  const memory = new Map(Object.entries(input.memory ?? {}));
  return filledArguments(job, (handle) => memory.get(handle))['value'];
}

/** A failure that our functions throw; anything else is a bug. */
export function refusal(error: unknown): { readonly ok: false } {
  if (!SkillyardError.is(error)) throw error;
  return { ok: false };
}
