import { act } from '@skillyard/kit';
import { isRecord } from '../../is-record.ts';
import type { CaseResult } from '../run-case.ts';
import { judge, type KitFolder, notRun } from './kit-folder.ts';

interface RecordedCall {
  readonly call: string;
  readonly ok: boolean;
  readonly error_name?: string;
  readonly message?: unknown;
  readonly value?: unknown;
}

type Make = (count: number) => unknown;

const options = (count: number): { value: string; label: string }[] =>
  Array.from({ length: count }, (_, index) => ({ value: `v${index}`, label: `L${index}` }));
const header = (count: number): string => 'h'.repeat(count);

/** The calls by what a recording calls them; `N` is a number in the label. */
const CALLS: Readonly<Record<string, Make>> = {
  'askUser structured with N options': (count) =>
    act.askUser({ type: 'structured', question: 'q', options: options(count) }),
  'askUser header of N characters': (count) =>
    act.askUser({ type: 'structured', question: 'q', header: header(count), options: options(2) }),
  'askUser open': () => act.askUser({ type: 'open', question: 'q' }),
  'survey []': () => act.survey([]),
  'survey question without options': () => act.survey([{ question: 'q' } as never]),
  'survey question with N options': (count) => act.survey([{ question: 'q', options: options(count) }]),
  'survey header of N characters': (count) =>
    act.survey([{ question: 'q', header: header(count), options: options(2) }]),
  'askUser structured header N': (count) =>
    act.askUser({ type: 'structured', question: 'q', header: header(count), options: options(2) }),
  'askUser header N': (count) =>
    act.askUser({ type: 'structured', question: 'q', header: header(count), options: options(2) }),
  'survey header N': (count) => act.survey([{ question: 'q', header: header(count), options: options(2) }]),
  'survey ok': () => act.survey([{ question: 'q', options: options(2) }]),
  'plan with no steps': () => act.plan({ summary: 's', steps: [] }),
  'checklist empty': () => act.checklist({ create: [] }),
  'confirm minimal': () => act.confirm({ message: 'm' }),
  'confirm full': () => act.confirm({ message: 'm', destructive: false, defaultAnswer: 'yes' }),
};

/** Runs the recorded calls of primitives: which are refused, and what the others make. */
export async function runPrimitiveValidation(
  recording: unknown,
  name: string,
  folder: KitFolder,
): Promise<CaseResult[]> {
  return (recording as readonly RecordedCall[]).map((recorded) => {
    const { call } = recorded;
    const entry = { name, entry: call, title: call, tags: folder.tags.of(name, call) };
    const make = findCall(recorded);
    if (make === undefined) return notRun(entry, `this version does not know the call "${call}"`);
    return judge(entry, {
      recorded: expectedOf(recorded),
      actual: outcomeOf(make, Number(/\d+/.exec(call)?.[0])),
    });
  });
}

/** By its label; what passed and has another one was recorded with all it was made of. */
function findCall({ call, ok, value }: RecordedCall): Make | undefined {
  const label = call.replace(/\d+/, 'N').replace(/ option$/, ' options');
  if (Object.hasOwn(CALLS, label)) return CALLS[label];
  const { kind = '', ...config } = (ok ? valueAt(value, 'primitive') : undefined) ?? {};
  const acts: Readonly<Record<string, ((config: never) => unknown) | undefined>> = { ...act };
  const create = acts[String(kind)];
  if (create === undefined) return undefined;
  return () => create((kind === 'survey' ? config['questions'] : config) as never);
}

function valueAt(value: unknown, key: string): Readonly<Record<string, unknown>> | undefined {
  const found = isRecord(value) ? value[key] : undefined;
  return isRecord(found) ? found : undefined;
}

/** The words of an engine about `undefined` are not ours to keep; that it is refused is. */
function expectedOf({ ok, error_name, message, value }: RecordedCall): unknown {
  if (ok) return { ok, value };
  return error_name === 'TypeError' ? { ok, message: { $kit_error: 'TypeError' } } : { ok, message };
}

function outcomeOf(make: Make, count: number): unknown {
  try {
    return { ok: true, value: make(count) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
