import { type Handshake, skill, terminal } from '@skillyard/kit';
import { checkSkill } from '@skillyard/kit/build';
import { openRun } from '@skillyard/kit/test';
import type { CaseResult } from '../run-case.ts';
import { describePreamble, INTRO_LINES, type PreambleShape } from './describe-preamble.ts';
import { evaluate } from './evaluate.ts';
import { judge, type KitFolder } from './kit-folder.ts';

interface RecordedRegistry {
  readonly hosts: Readonly<Record<string, readonly string[]>>;
  readonly primitive_tools_in_match_order: Readonly<Record<string, readonly string[]>>;
  readonly resolved_per_host_null_means_generic: Readonly<
    Record<string, Readonly<Record<string, string | null>>>
  >;
  readonly row_order: readonly string[];
  readonly instruction_variants: Readonly<Record<string, readonly string[]>>;
}

/** Runs the recorded registry of hosts: which tool carries out which tag, as a preamble tells it. */
export async function runHostRegistry(
  recording: unknown,
  name: string,
  folder: KitFolder,
): Promise<CaseResult[]> {
  const registry = recording as RecordedRegistry;
  const tags = folder.tags.of(name);
  const judged = (entry: string, recorded: unknown, actual: unknown): CaseResult =>
    judge({ name, entry, title: entry, tags }, { recorded, actual });
  const results: CaseResult[] = [];
  for (const [host, recorded] of Object.entries(registry.resolved_per_host_null_means_generic)) {
    results.push(judged(`host ${host}`, recorded, pick(await toolsOf({ host }), Object.keys(recorded))));
  }
  for (const [host, tools] of Object.entries(registry.hosts)) {
    results.push(judged(`tools of ${host}`, [], unknownTools(tools)));
    const reported = await toolsOf({ host: 'generic', toolsAvailable: tools });
    results.push(judged(`${host} by its tools`, await toolsOf({ host }), reported));
  }
  for (const [tag, tools] of Object.entries(registry.primitive_tools_in_match_order)) {
    const found: unknown[] = [];
    for (const index of tools.keys()) {
      found.push((await toolsOf({ toolsAvailable: tools.slice(index).toReversed() }))[tag]);
    }
    results.push(judged(`order of ${tag}`, tools, found));
  }
  const { rows } = await preambleOf({});
  results.push(
    judged(
      'rows',
      registry.row_order,
      rows.map(({ tag }) => tag.replaceAll(/[`<>]/g, '')),
    ),
  );
  for (const [tag, variants] of Object.entries(registry.instruction_variants)) {
    const tools = registry.primitive_tools_in_match_order[tag] ?? [];
    results.push(judged(`variants of ${tag}`, variants.length, await countVariants(tag, tools)));
  }
  return results;
}

async function toolsOf(handshake: Partial<Handshake>): Promise<Record<string, string | null>> {
  const { rows } = await preambleOf(handshake);
  return Object.fromEntries(
    rows.map(({ tag, tool }) => [tag.replaceAll(/[`<>]/g, ''), tool === '—' ? null : tool]),
  );
}

/** The tools that no host is known to have. */
function unknownTools(tools: readonly string[]): readonly string[] {
  const asks = tools.map((tool) => `host.toolsAvailable.includes('${tool}')`).join(' || ');
  const prompt = evaluate(`({ host }) => (${asks} ? 'p' : 'q')`) as () => string;
  const asking = skill({ name: 'asking', entry: 'a' }).step('a', { prompt, next: terminal }).build();
  const found = checkSkill(asking, '/nowhere').filter(({ rule }) => rule === 'unknown-tool-names');
  return found.map(({ message }) => message);
}

function pick(tools: Readonly<Record<string, string | null>>, keys: readonly string[]): unknown {
  return Object.fromEntries(keys.map((key) => [key, tools[key]]));
}

/** The tool that a tool which makes entries changes them with. */
const UPDATE_TOOL = /\b(?:Task|tracker-)[\w-]+/g;

/** In how many ways a tag is explained, the names of tools aside. */
async function countVariants(tag: string, tools: readonly string[]): Promise<number> {
  // A name that is a word, too, cannot be told from one in a sentence.
  const names = tools.filter((tool) => /[A-Z_-]/.test(tool));
  const texts = new Set<string>();
  for (const toolsAvailable of [[], ...names.map((tool) => [tool])]) {
    const text = await preambleText({ toolsAvailable });
    const row = text.split('\n').find((line) => line.startsWith(`| \`<${tag}>\``)) ?? '';
    const how = row.split('|').slice(3).join('|').replaceAll(UPDATE_TOOL, 'T');
    texts.add(toolsAvailable.reduce((explained, tool) => explained.replaceAll(tool, 'T'), how));
  }
  return texts.size;
}

async function preambleOf(handshake: Partial<Handshake>): Promise<PreambleShape> {
  return describePreamble(await preambleText(handshake), INTRO_LINES);
}

async function preambleText(handshake: Partial<Handshake>): Promise<string> {
  const asked = skill({ name: 'asked', entry: 'a' }).step('a', { prompt: 'p', next: terminal }).build();
  const result = await openRun(asked, { handshake }).start();
  return result.kind === 'prompt' ? (result.preamble ?? '') : '';
}
