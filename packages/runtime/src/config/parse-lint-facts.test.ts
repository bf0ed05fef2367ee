import { describe, expect, it } from 'vitest';
import { parseLintFacts } from './parse-lint-facts.ts';

function refusal(text: string): string {
  try {
    parseLintFacts(text, 'facts.json');
  } catch (error) {
    return String(error);
  }
  throw new Error('the facts were accepted');
}

describe('parseLintFacts', () => {
  it('takes every fact, and leaves out what is not there', () => {
    const facts = {
      server_names: ['depot'],
      all_tools: { depot: ['wash'] },
      tool_schemas: { 'depot:wash': { type: 'object' } },
      builtin_tools: [],
      write_servers: [],
      skill_names: ['triage'],
    };
    expect(parseLintFacts(JSON.stringify(facts), 'facts.json')).toEqual(facts);
    expect(parseLintFacts('{}', 'facts.json')).toEqual({});
  });

  it('names an unknown fact with its place and what was probably meant', () => {
    expect(refusal('{\n  "servers_names": ["depot"]\n}')).toMatch(
      /facts\.json:2:3: unknown key `servers_names`; did you mean `server_names`\?/,
    );
  });

  it.each([
    ['{"server_names": "depot"}', /facts\.json:1:18: server_names must be a list, and is "depot"/],
    ['{"all_tools": {"depot": [1]}}', /all_tools\.depot\.0 must be text, and is 1/],
    ['{"tool_schemas": {"depot:wash": true}}', /tool_schemas\.depot:wash must be a mapping/],
    ['[1]', /facts\.json:1:1: the file holds a list, not a mapping; write a JSON object of facts/],
    ['{"server_names": [', /facts\.json:1:\d+: not valid YAML/],
    ['{"skill_names": [], "skill_names": []}', /not valid YAML: .*unique/],
    ['', /the file is empty/],
  ])('refuses %s', (text, message) => {
    expect(refusal(text)).toMatch(message);
  });

  it('tells every mistake at once', () => {
    expect(refusal('{"a": 1, "skill_names": {}}').split('\n')).toHaveLength(2);
  });
});
