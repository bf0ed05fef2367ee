/** The three ways in which an agent goes through a workflow on the command line, as one. */
import { appendFileSync, readFileSync } from 'node:fs';
import type { SkillDefinition, StepRecord } from '../../src/definition/skill-definition.ts';
import type { WorkflowResult } from '../../src/workflow/result.ts';
import { callCli, type CallResult } from './call-cli.ts';

/** What an agent sees of a result, or the line on stderr when there is none. */
export type Seen = Omit<WorkflowResult, 'completed' | 'autoAdvanced'> | { readonly error: string };

export interface Protocol {
  readonly name: string;
  start(params: unknown): Promise<Seen>;
  /** Answers a step. */
  advance(step: string, output: unknown): Promise<Seen>;
}

export function stateless(skill: SkillDefinition): Protocol {
  const history: StepRecord[] = [];
  let params: unknown;
  const take = (call: CallResult): Seen => {
    if (call.code !== 0) return { error: call.stderr };
    const result = JSON.parse(call.stdout) as WorkflowResult;
    if (result.kind !== 'error')
      history.push(
        ...(result.completed === undefined ? [] : [result.completed]),
        ...(result.autoAdvanced ?? []),
      );
    return seen(result);
  };
  return {
    name: 'stateless',
    async start(given) {
      params = given;
      return take(await callCli(skill, ['--params', JSON.stringify(params)]));
    },
    async advance(step, output) {
      return take(
        await callCli(skill, [
          'advance',
          '--step',
          step,
          '--output',
          JSON.stringify(output),
          '--params',
          JSON.stringify(params),
          '--history',
          JSON.stringify(history),
        ]),
      );
    },
  };
}

export function session(skill: SkillDefinition, folder: string, mode: 'file' | 'flag'): Protocol {
  let pointer = { sessionId: '', file: '' };
  const read = (line: number): Seen => {
    const text = readFileSync(pointer.file, 'utf8').split('\n')[line - 1] ?? '';
    const { type: _, ...result } = JSON.parse(text) as WorkflowResult & { type: string };
    return seen(result);
  };
  return {
    name: `session, ${mode} mode`,
    async start(params) {
      const call = await callCli(skill, [
        '--params',
        JSON.stringify(params),
        '--session',
        'new',
        '--session-dir',
        folder,
        '--output-mode',
        mode,
      ]);
      if (call.code !== 0) return { error: call.stderr };
      const reply = JSON.parse(call.stdout) as { sessionId: string; file: string; line: number };
      pointer = reply;
      return read(reply.line);
    },
    async advance(step, output) {
      const argv = ['advance', '--session', pointer.sessionId, '--session-dir', folder];
      if (mode === 'flag') argv.push('--step', step, '--output', JSON.stringify(output));
      else appendFileSync(pointer.file, `${JSON.stringify({ type: 'output', step, output })}\n`);
      const call = await callCli(skill, argv);
      return call.code === 0 ? read(JSON.parse(call.stdout) as number) : { error: call.stderr };
    },
  };
}

function seen(result: WorkflowResult): Seen {
  if (result.kind === 'error') return result;
  const { completed: _, autoAdvanced: __, ...rest } = result;
  return rest;
}
