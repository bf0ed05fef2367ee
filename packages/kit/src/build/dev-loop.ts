import { dirname, sep } from 'node:path';
import { skillReferences } from '../cli/skill-references.ts';
import type { Handshake, SkillDefinition } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { DevRun, type DevView } from './dev-run.ts';
import { FileWatch } from './file-watch.ts';
import type { KitIo } from './kit-io.ts';
import { type LoadOptions, loadWithInputs } from './load-definition.ts';
import { placeInSource } from './place-in-source.ts';

export interface DevOptions extends LoadOptions {
  readonly params: unknown;
  readonly handshake: Partial<Handshake>;
}

const HELP = `Answer with JSON; it may go over several lines. An empty line gives up what is begun.
  .restart  from the entry      .history  what was answered      .quit
`;

/**
 * Lets a developer be the agent: shows each prompt and takes the answer. When a source file changes, the skill is loaded
 * again and what was answered so far is replayed.
 * @param entry absolute
 * @returns when the input ends, at `.quit` and when it is cancelled
 * @throws KitError when the skill cannot be loaded or started at all
 */
export async function devLoop(entry: string, options: DevOptions, io: KitIo): Promise<void> {
  const loaded = await loadWorkflow(entry, options);
  const runOptions = {
    params: options.params,
    handshake: options.handshake,
    references: skillReferences(dirname(entry)),
    warn: (line: string) => io.stderr(`${line}\n`),
  };
  const run = new DevRun(loaded.definition, runOptions, io.signal);
  const events = new EventQueue();
  const watch = new FileWatch(() => events.push({ kind: 'changed' }));
  const cancel = (): void => events.push({ kind: 'end' });
  io.signal?.addEventListener('abort', cancel, { once: true });
  try {
    watch.set(loaded.inputs);
    io.stdout(HELP);
    show(await run.restart(), io);
    readLines(io.input, events).catch((error: unknown) => {
      io.stderr(`error: the input cannot be read: ${String(error)}\n`);
      events.push({ kind: 'end' });
    });
    let begun = '';
    for (;;) {
      const event = await events.next();
      if (event.kind === 'end') return;
      if (event.kind === 'line' && event.line.trim() === '.quit') return;
      begun = await guarded(io, async () => {
        if (event.kind === 'line') return takeLine(begun + event.line, event.line, run, io);
        const again = await loadWorkflow(entry, options);
        watch.set(again.inputs);
        const view = await run.reload(again.definition);
        io.stdout('\nThe sources have changed; what was answered stays.\n');
        show(view, io);
        return '';
      });
    }
  } finally {
    watch.close();
    io.signal?.removeEventListener('abort', cancel);
  }
}

/** @returns what of an answer is begun and not at its end */
async function takeLine(text: string, line: string, run: DevRun, io: KitIo): Promise<string> {
  switch (line.trim()) {
    case '':
      return '';
    case '.restart':
      show(await run.restart(), io);
      return '';
    case '.history':
      io.stdout(`${JSON.stringify(run.history, null, 2)}\n`);
      return '';
    default:
      break;
  }
  let output: unknown;
  try {
    output = JSON.parse(text);
  } catch (error) {
    if (isOpen(text)) return `${text}\n`;
    throw new KitError(
      'PROTOCOL',
      `this is no JSON: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
  show(await run.answer(output), io);
  return '';
}

/** Whether more lines can make JSON of it. */
function isOpen(text: string): boolean {
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"/gs, '');
  const count = (pattern: RegExp): number => bare.match(pattern)?.length ?? 0;
  return count(/[[{]/g) > count(/[\]}]/g);
}

function show(view: DevView, io: KitIo): void {
  switch (view.kind) {
    case 'prompt':
      io.stdout(
        `\n== ${view.step}\n\n${view.preamble === undefined ? '' : `${view.preamble}\n\n`}${view.prompt}\n`,
      );
      io.stdout(`\nanswer: ${view.schema === null ? 'anything' : JSON.stringify(view.schema)}\n`);
      break;
    case 'error':
      io.stdout(`\nrefused: ${view.message}\n`);
      break;
    case 'redirect':
      io.stdout(`\nleads to ${view.redirect}\n`);
      break;
    case 'done':
      io.stdout(`\ndone: ${JSON.stringify(view.finalOutput, null, 2)}\n`);
      break;
    case 'over':
      io.stdout('\nThe run is over: .restart or .quit\n');
      break;
  }
}

/** What goes wrong is told; the developer mends it and goes on. */
async function guarded(io: KitIo, work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    const place = placeInSource(error, io.cwd);
    const message = error instanceof Error ? error.message : String(error);
    io.stderr(`error: ${message}${place === null ? '' : ` (${place})`}\n`);
    return '';
  }
}

async function loadWorkflow(
  entry: string,
  options: LoadOptions,
): Promise<{ readonly definition: SkillDefinition; readonly inputs: readonly string[] }> {
  const { definition, inputs } = await loadWithInputs(entry, options);
  if (definition.kind !== 'skill') {
    throw new KitError(
      'PROTOCOL',
      `"${definition.name}" is a reference skill, which has no steps; use run to read its topics`,
    );
  }
  // What is installed does not change while a skill is written.
  return { definition, inputs: inputs.filter((file) => !file.includes(`${sep}node_modules${sep}`)) };
}

type DevEvent = { readonly kind: 'line'; readonly line: string } | { readonly kind: 'changed' | 'end' };

/** Lines and changes in the order in which they come. */
class EventQueue {
  readonly #waiting: DevEvent[] = [];
  #wake: () => void = () => undefined;

  push(event: DevEvent): void {
    this.#waiting.push(event);
    this.#wake();
  }

  async next(): Promise<DevEvent> {
    for (;;) {
      const event = this.#waiting.shift();
      if (event !== undefined) return event;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

async function readLines(input: KitIo['input'], events: EventQueue): Promise<void> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of input) {
    const lines = (
      rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))
    ).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) events.push({ kind: 'line', line });
  }
  if (rest !== '') events.push({ kind: 'line', line: rest });
  events.push({ kind: 'end' });
}
