import { buildProgram } from '../build/build-program.ts';
import { RUST_NOTE } from '../doctor/workflow-problems.ts';
import { oneFolder } from './one-folder.ts';
import type { Verb } from './verb.ts';

export const buildVerb: Verb = {
  name: 'build',
  usage: '<skill folder>',
  summary: 'bundle the `source` of skill.json, and write skill.yaml, by which the platform runs the skill',
  flags: {},
  async run(call) {
    const { name, files, digest, language } = await buildProgram(oneFolder('build', call));
    call.io.stdout(`build: ${name} ${digest}\n`);
    for (const file of files) call.io.stdout(`written: ${file}\n`);
    if (language === 'rust') call.io.stderr(`note: ${RUST_NOTE}\n`);
    return 0;
  },
};
