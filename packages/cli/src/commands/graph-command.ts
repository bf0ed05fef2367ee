import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readRegularFile } from '@skillyard/catalog';
import { SkillyardError } from '@skillyard/contracts';
import { flowGraph } from '@skillyard/engine';
import type { Command } from 'commander';
import { toMermaid } from '../graph/mermaid.ts';
import { toSvg } from '../graph/svg.ts';
import { displayPath } from '../skill/read-file.ts';
import { readRunnableSkill } from '../skill/read-skill.ts';
import { EXIT } from '../terminal/exit-code.ts';
import { type Attach, readChoice } from './context.ts';

interface GraphOptions {
  readonly format?: string;
  readonly out?: string;
}

/** `skillyard graph`: the flow of a skill as a picture. */
export function addGraph(program: Command, attach: Attach): void {
  const command = program
    .command('graph')
    .summary('draw the flow of a skill')
    .description(
      'Draws the flow of a skill: its steps, branches, loops and what guards them, as Mermaid text or as an SVG picture.',
    )
    .argument('<skill>', 'skill file')
    .option('--format <mermaid|svg>', 'default: svg for a file named *.svg, else mermaid')
    .option('--out <file>', 'write a file instead of standard output');
  attach<GraphOptions>(command, async ({ surroundings, terminal }, [path = ''], { format, out }) => {
    const { cwd } = surroundings;
    const chosen = readChoice('--format', format, ['mermaid', 'svg']);
    const source = await readRunnableSkill(path, terminal, cwd);
    if (source === null) return EXIT.badInput;
    const { file, skill } = source;
    if (skill.workflow === null) {
      const message = `${file} has no workflow, so there is no flow to draw`;
      throw new SkillyardError('SKILL_INVALID', message, { details: { file } });
    }
    const graph = flowGraph(skill.workflow);
    if (out !== undefined) refusePicture(out);
    const kind = chosen ?? (out?.endsWith('.svg') === true ? 'svg' : 'mermaid');
    const text = kind === 'svg' ? toSvg(graph, skill.name) : toMermaid(graph);
    if (out !== undefined) await write(resolve(cwd, out), text, displayPath(out, cwd));
    if (terminal.json)
      terminal.document({ file, skill: skill.name, format: kind, text, graph, out: out ?? null });
    else if (out === undefined) terminal.answer(text);
    else terminal.err(`${displayPath(out, cwd)} is written`);
    return EXIT.completed;
  });
}

function refusePicture(out: string): void {
  if (!/\.(png|jpe?g|gif|webp|pdf)$/i.test(out)) return;
  const message = `${out} would be a picture of a kind that is not drawn here; name a file that ends with .svg`;
  throw new SkillyardError('INPUT_INVALID', message, { details: { file: out } });
}

/** How what is drawn here begins. Nothing else is overwritten: a name is quickly mistaken for that of the skill. */
const OURS = /^(?:<svg|<\?xml|flowchart|---\ntitle)/;

/** More than any graph that is drawn here. */
const MAX_BYTES = 64 * 1024 * 1024;

async function refuseOther(path: string, shown: string): Promise<void> {
  // What is not there, cannot be read or is no regular file has nothing to lose here; writing it says what is wrong.
  const found = await readRegularFile(path, MAX_BYTES).catch(() => undefined);
  if (found === undefined || found.kind === 'folder' || found.kind === 'irregular') return;
  if (found.kind === 'read' && (found.bytes.length === 0 || OURS.test(found.bytes.toString('utf8', 0, 64))))
    return;
  const message = `${shown} is there already and is no graph; name another file, or remove it first`;
  throw new SkillyardError('FILE_UNWRITABLE', message, { details: { file: shown } });
}

async function write(path: string, text: string, shown: string): Promise<void> {
  await refuseOther(path, shown);
  await writeFile(path, text).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `${shown} cannot be written: ${reason}; check that its folder exists and may be written to`;
    throw new SkillyardError('FILE_UNWRITABLE', message, { details: { file: shown }, cause });
  });
}
