import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { shellQuoted } from '../adapters/adapter-text.ts';
import { ProgramError } from '../program-error.ts';
import { scaffold } from '../scaffold/scaffold.ts';
import type { Verb } from './verb.ts';

export const initVerb: Verb = {
  name: 'init',
  usage: '<skill folder> --description <text> [--language typescript|javascript|python]',
  summary: 'write a program to begin with; files that are there stay as they are',
  flags: { description: 'text', language: 'text' },
  async run({ words, flags, io }) {
    const [word, ...others] = words;
    if (word === undefined || others.length > 0) {
      throw new ProgramError('USAGE', 'init takes exactly one skill directory');
    }
    const folder = resolve(io.cwd, word);
    const language = flags.text('language') ?? 'typescript';
    const { preserved, runsOther, isBuilt } = await scaffold({
      folder,
      language,
      description: (flags.text('description') ?? '').trim(),
      isDescribed: existsSync(join(folder, 'SKILL.md')),
    });
    const quoted = shellQuoted(word);
    const lines = [
      ...preserved.map((file) => `init: ${file} exists, preserved`),
      `init: ${language} skill "${basename(folder)}" scaffolded in ${word}`,
      'next: replace the starter program and fixtures with the described workflow',
      ...(isBuilt ? [`build: skillyard program build ${quoted}`] : []),
      `test: skillyard program doctor ${quoted} --test`,
      `then: skillyard program register ${quoted}`,
    ];
    io.stdout(`${lines.join('\n')}\n`);
    if (runsOther) io.stderr('note: skill.json stays as it is, and says which program is run\n');
    return 0;
  },
};
