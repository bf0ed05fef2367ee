import type { Handshake } from '../definition/skill-definition.ts';
import { resolveTools } from './resolve-tools.ts';

/** Under this name the platform runs a skill: it asks people itself, before a model sees the prompt. */
const PLATFORM = 'skillyard';

const INTRO = [
  'A program leads you through this workflow and hands you one step at a time.',
  'With each step comes a prompt and, mostly, a JSON Schema of the answer it wants.',
  'Do what the prompt asks, and answer with JSON that fits the schema.',
  '',
].join('\n');

const TAGS =
  'Prompts are made of the XML tags below: work through them from top to bottom. Read `&lt;`, `&gt;`, `&quot;` and ' +
  '`&amp;` in them as the characters they stand for.';

const ANSWERED = ' Questions to people are already answered, in an `<answers>` block: do not ask them again.';

/**
 * What an agent reads once, before the first step: how a workflow goes and which of its tools a tag stands for.
 * @param system the persona of the skill; it comes first
 */
export function preamble(handshake: Handshake, system: string | undefined): string {
  const tags = handshake.host === PLATFORM ? `${TAGS}${ANSWERED}` : TAGS;
  const lead = system === undefined || system === '' ? '' : `${system}\n\n`;
  return `${lead}${INTRO}\n${tags}\n\n${tableOf(handshake)}`;
}

function tableOf(handshake: Handshake): string {
  return [
    '| Tag | Tool | How to use |',
    '|-----|------|-----------|',
    row('system', null, 'How to behave and to sound in this step. Keep to it; do not show it.'),
    row('prompt', null, 'The work of the step. Do it.'),
    ...resolveTools(handshake).map(({ kind, tool }) => row(kind.tag, tool, kind.howToUse(tool))),
    row(
      'rendered',
      null,
      'Finished text. Where the user is to see it, give it character for character; `name` is what other parts call it.',
    ),
  ].join('\n');
}

function row(tag: string, tool: string | null, howToUse: string): string {
  return `| \`<${tag}>\` | ${tool ?? '—'} | ${howToUse} |`;
}
