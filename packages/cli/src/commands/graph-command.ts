import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
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
      const message = `${file} has a playbook and no workflow, so there is no flow to draw`;
      throw new SkillyardError('SKILL_INVALID', message, { details: { file } });
    }
    const graph = flowGraph(skill.workflow);
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

async function write(path: string, text: string, shown: string): Promise<void> {
  await writeFile(path, text).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `${shown} cannot be written: ${reason}; check that its folder exists and may be written to`;
    throw new SkillyardError('FILE_UNWRITABLE', message, { details: { file: shown }, cause });
  });
}
