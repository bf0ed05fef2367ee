import { describe, expect, it } from 'vitest';
import { askedToolNames, hostToolNamesIn, isKnownTool } from './host-tool-names.ts';

describe('hostToolNamesIn', () => {
  it('finds names that only tools have, wherever they stand', () => {
    expect(hostToolNamesIn('Use AskUserQuestion, or ask-user on other hosts.')).toEqual([
      'AskUserQuestion',
      'ask-user',
    ]);
  });

  it.each([
    'Make a plan for the task.',
    'A question for the Agent',
    'todo: plan',
    'Show the planned task-list',
  ])('takes everyday words for words: %s', (text) => {
    expect(hostToolNamesIn(text)).toEqual([]);
  });

  it.each([
    ['Call `task` now.', 'task'],
    ['Use the plan tool.', 'plan'],
    ['Use the tool called "question".', 'question'],
    ['The *todo* tool', 'todo'],
  ])('takes everyday words for tools as code or beside the word: %s', (text, name) => {
    expect(hostToolNamesIn(text)).toEqual([name]);
  });

  it('leaves tags of prompts alone', () => {
    expect(hostToolNamesIn('<ask-user type="open" question="x" /></ask-user>')).toEqual([]);
  });
});

describe('askedToolNames', () => {
  it('reads what code asks the host for, hyphens included', () => {
    const code = `({ host: { toolsAvailable } }) => toolsAvailable.includes("ask-user") || host.toolsAvailable.includes('Agent')`;
    expect(askedToolNames(code)).toEqual(['ask-user', 'Agent']);
  });
});

describe('isKnownTool', () => {
  it('knows the tools of every host and trusts those of tool servers', () => {
    expect(['AskUserQuestion', 'spawn_agent', 'mcp__files__read'].map(isKnownTool)).toEqual([
      true,
      true,
      true,
    ]);
    expect(isKnownTool('Misspelt')).toBe(false);
  });
});
