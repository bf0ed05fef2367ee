import { describe, expect, it } from 'vitest';
import { reference } from '../builder/reference.ts';
import { skill } from '../builder/skill.ts';
import { terminal } from '../builder/terminal.ts';
import { frontMatter } from './front-matter.ts';

const FIELDS = {
  argumentHint: '[x] "y"',
  arguments: ['one', 'two'],
  allowedTools: 'Bash(git log *) WebSearch Read',
  paths: 'src/**',
  context: 'fork',
  license: 'MIT',
  compatibility: 'Node 20',
  agent: 'Explore',
  model: 'opus',
  effort: 'high',
  disableModelInvocation: false,
  userInvocable: true,
} as const;

describe('the front matter of SKILL.md', () => {
  it('has every field in one order, texts quoted and truths bare', () => {
    const built = skill({ name: 'all', version: '1.2.3', entry: 'a', ...FIELDS })
      .step('a', { prompt: 'p', next: terminal })
      .build();
    expect(frontMatter(built, 'Says "all".')).toEqual([
      'name: all',
      String.raw`description: "Says \"all\"."`,
      'metadata:',
      '  version: "1.2.3"',
      String.raw`argument-hint: "[x] \"y\""`,
      'arguments: ["one", "two"]',
      'allowed-tools: "Bash(scripts/run *) Read mcp__all__start mcp__all__advance Bash(git log *) WebSearch"',
      'paths: "src/**"',
      'context: "fork"',
      'license: "MIT"',
      'compatibility: "Node 20"',
      'agent: "Explore"',
      'model: "opus"',
      'effort: "high"',
      'disable-model-invocation: false',
      'user-invocable: true',
    ]);
  });

  it('leaves out a version that is none and lists that are empty', () => {
    const built = reference({ name: 'r', description: 'd', arguments: [], allowedTools: ['Grep', 'Read'] })
      .topic('t', { label: 'T', content: () => '' })
      .build();
    expect(frontMatter(built, 'd')).toEqual([
      'name: r',
      'description: "d"',
      'allowed-tools: "Bash(scripts/run *) Read mcp__r__topic mcp__r__topics Grep"',
    ]);
  });
});
