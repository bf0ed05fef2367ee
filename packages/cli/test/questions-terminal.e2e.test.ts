import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { until } from '@skillyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkplace, skill, type Workplace } from './cli-process.ts';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
/** `script` of util-linux gives a command a terminal of its own. That of other systems takes other arguments. */
const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

describe.skipIf(!hasTerminal)('run on a terminal, where steps ask a person', () => {
  let place: Workplace;
  let child: ChildProcess | undefined;
  beforeEach(async () => {
    place = await openWorkplace();
    const colours = [{ value: 'red' }, { value: 'blue', label: 'Azure' }];
    await place.write({
      'ask.yaml': skill([
        { name: 'colour', ask: { question: 'Which colour?', options: colours, save_as: 'colour' } },
        { name: 'name', ask: { question: 'What is it called?', save_as: 'title' } },
        { set: { var: 'answer', value: '{{title}} in {{colour}}' } },
      ]),
      'late.yaml': skill([
        {
          name: 'colour',
          ask: {
            question: 'Now?',
            save_as: 'answer',
            timeout: '300ms',
            on_timeout: 'use',
            on_timeout_value: 'no',
          },
        },
      ]),
    });
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await place.remove();
  });

  /** Runs a skill on a terminal, and writes each answer once the text before it is there. */
  const converse = async (
    file: string,
    answers: readonly (readonly [text: string, answer: string])[],
  ): Promise<{ code: number | null; shown: string }> => {
    const env = {
      ...process.env,
      NO_COLOR: '1',
      FORCE_COLOR: '',
      CI: '',
      TERM: 'xterm',
      SKILLYARD_CONFIG: '',
    };
    const command = `"${process.execPath}" "${MAIN}" run ${file}`;
    child = spawn('script', ['-qec', command, '/dev/null'], { cwd: place.folder, env });
    let shown = '';
    child.stdout?.on('data', (chunk: Buffer) => (shown += chunk.toString('utf8')));
    const ended = new Promise<number | null>((resolve) => child?.once('close', resolve));
    let seen = 0;
    for (const [text, answer] of answers) {
      await until(() => shown.includes(text, seen), 15_000, `"${text}" in:\n${shown}`);
      seen = shown.length;
      child.stdin?.write(answer);
    }
    return { code: await ended, shown };
  };

  it('asks one question after the other, and again when an answer does not fit', async () => {
    const { code, shown } = await converse('ask.yaml', [
      ['> ', 'green\r'],
      ['"green" is none of the options', '2\r'],
      ['What is it called?', 'the mill\r'],
    ]);
    expect(shown).toContain('the mill in blue');
    expect(shown).toContain('2. Azure (blue)');
    expect(code).toBe(0);
  });

  it('is cancelled by Ctrl-C while it asks', async () => {
    const { code, shown } = await converse('ask.yaml', [['> ', '\u0003']]);
    expect(shown).toContain('cancelled: interrupted by Ctrl-C');
    expect(code).toBe(130);
  });

  it('goes on when the time of the question is over', async () => {
    const { code, shown } = await converse('late.yaml', []);
    expect(shown).toContain('nobody answered in time');
    expect(code).toBe(0);
  });
});
