import { toolServerCommand } from '@skillyard/testing';
import { afterEach, beforeEach, expect, describe, it } from 'vitest';
import { openWorkplace, skill, type Workplace } from './cli-process.ts';

let place: Workplace;
beforeEach(async () => {
  place = await openWorkplace();
});
afterEach(() => place.remove());

describe('the assets of a skill that is delegated to', () => {
  it('come from the folder of its own file, and from the tool servers of the run', async () => {
    const desk = { ...toolServerCommand(), effects: { order: 'read' } };
    const assets = {
      rules: { source: 'file', ref: 'rules.md' },
      stock: { source: 'mcp', ref: 'desk:order', args: { sku: '{{input}}', quantity: 3 } },
    };
    const text = '{{asset:rules}} {{asset:stock}}';
    await place.write({
      'skillyard.yaml': JSON.stringify({ servers: { desk }, skills: ['others'] }),
      'skill.yaml': skill(
        [
          { name: 'own', set: { var: 'mine', value: text } },
          { name: 'pass', delegate: { skill: 'stocktaker', task: 'rye' }, save_as: 'theirs' },
          { set: { var: 'answer', value: '{{mine}}, then {{theirs}}' } },
        ],
        { tools: ['desk'], assets },
      ),
      'rules.md': 'Ours:',
      'others/stocktaker.yaml': skill([{ set: { var: 'answer', value: text } }], {
        name: 'stocktaker',
        tools: ['desk'],
        assets,
      }),
      'others/rules.md': 'Theirs:',
    });
    const run = await place.run(['run', 'skill.yaml', '--input', 'oat']);
    expect(run.stdout).toBe('Ours: {"sku":"oat","quantity":3}, then Theirs: {"sku":"rye","quantity":3}\n');
    expect(run.code).toBe(0);
  });
});
