import { type PolicyFile, SkillyardError } from '@skillyard/contracts';
import { loadSkill, type Skill } from '@skillyard/engine';
import { describe, expect, it } from 'vitest';
import { Policy } from './policy.ts';

const FILE: PolicyFile = {
  roles: {
    baker: { allow: ['mill:grind', 'mill:sift', 'oven'] },
    tester: { allow: ['*'], deny: ['oven:clean', 'builtin:activate_skill'] },
    guest: { allow: ['oven:look'] },
    careful: { allow: [], deny: ['mill'] },
  },
  default_roles: ['guest'],
};
const policy = new Policy(FILE);

/** What of these may be reached by the roles. */
function reachable(roles: readonly string[] | null, tools: readonly string[]): string[] {
  return tools.filter((name) => {
    const [server = '', tool = ''] = name.split(':');
    return policy.refusal(roles, server, tool) === null;
  });
}

function skillOf(body: string): Skill {
  const { skill, diagnostics } = loadSkill(`skill_engine_version: "2.4.1"\nname: s\ndescription: d\n${body}`);
  if (skill === null) throw new Error(JSON.stringify(diagnostics));
  return skill;
}

function denied(body: string, roles: readonly string[]): string | null {
  try {
    policy.checkDeclared(skillOf(body), roles);
    return null;
  } catch (error) {
    if (SkillyardError.is(error, 'POLICY_DENIED')) return error.message;
    throw error;
  }
}

describe('a role', () => {
  const all = ['mill', 'mill:grind', 'mill:burn', 'oven', 'oven:look', 'oven:clean', 'depot', 'depot:x'];

  it('reaches the tools that it allows, and nothing else', () => {
    expect(reachable(['baker'], all)).toEqual(['mill', 'mill:grind', 'oven', 'oven:look', 'oven:clean']);
    expect(reachable(['guest'], all)).toEqual(['oven', 'oven:look']);
  });

  it('adds to another, and what one of them denies is denied', () => {
    expect(reachable(['guest', 'baker'], all)).toEqual(reachable(['baker'], all));
    expect(reachable(['tester'], all)).toEqual(all.filter((name) => name !== 'oven:clean'));
    expect(reachable(['baker', 'tester'], ['oven:clean'])).toEqual([]);
    expect(reachable(['tester', 'careful'], ['mill', 'mill:grind', 'oven'])).toEqual(['oven']);
  });

  it('that the policy does not know allows nothing, whatever its name', () => {
    expect(reachable(['boss', '__proto__', 'constructor'], all)).toEqual([]);
  });

  it('is that of callers without one when there is none, and no policy holds past the API', () => {
    expect(reachable([], all)).toEqual(reachable(['guest'], all));
    expect(reachable(null, all)).toEqual(all);
    expect(new Policy(null).refusal([], 'mill', 'burn')).toBeNull();
    expect(new Policy({ roles: {} }).refusal([], 'mill', 'burn')).not.toBeNull();
  });

  it('reaches the built-in tools that only read unless it denies them, and no other without an allow', () => {
    const builtins = ['builtin', 'builtin:memory_read', 'builtin:activate_skill'];
    expect(reachable(['guest'], [...builtins, 'builtin:run'])).toEqual(builtins);
    expect(reachable(['tester'], builtins)).toEqual(['builtin', 'builtin:memory_read']);
  });
});

describe('what a model is offered', () => {
  const known = (server: string): readonly string[] | null =>
    ({ mill: ['grind', 'sift', 'burn'], oven: ['look', 'clean'] })[server] ?? null;

  it('loses what its roles may not reach', () => {
    const offered = ['mill', 'oven', 'depot', 'depot:x', 'builtin:memory_read'];
    expect(policy.narrow(['baker'], offered, known)).toEqual([
      'mill:grind',
      'mill:sift',
      'oven',
      'builtin:memory_read',
    ]);
    expect(policy.narrow(['tester'], offered, known)).toEqual([
      'mill',
      'oven:look',
      'depot',
      'depot:x',
      'builtin:memory_read',
    ]);
    expect(policy.narrow(null, offered, known)).toBe(offered);
  });

  it('keeps a server whose tools nobody knows, but not one without any that may be reached', () => {
    expect(policy.narrow(['baker'], ['mill', 'depot'], () => null)).toEqual(['mill']);
  });
});

describe('a skill', () => {
  it('is refused with POLICY_DENIED, which names step, line and tool', () => {
    const body = `workflow:
  tools: [mill, depot]
  steps:
    - {name: grind, call: {tool: "mill:grind"}}
    - if:
        cond: x is not empty
        then:
          - {name: burn it, call: {tool: "mill:burn"}}
    - {instruction: ask}
`;
    expect(denied(body, ['tester'])).toBeNull();
    expect(denied(body, ['baker'])).toBe(
      'line 11, "burn it": the policy does not let the role baker reach mill:burn; ' +
        'line 12, "#3": the policy does not let the role baker reach the server "depot". ' +
        'Ask for a role that may, or change the skill.',
    );
  });

  it('whose call goes to a server known at run time only needs all of the flow', () => {
    const body = `workflow:
  tools: [mill, oven]
  steps:
    - {name: any, on_server: "{{ vars.where }}", call: {tool: look}}
`;
    expect(denied(body, ['baker'])).toMatch(/"any".*reach mill:look/);
    expect(denied(body, ['tester'])).toBeNull();
  });

  it('is refused for an asset that is read from a tool server', () => {
    const body = `workflow:
  assets: {rates: {kind: text, source: mcp, ref: "depot:rates"}}
  steps: [{instruction: "{{ assets.rates }}"}]
`;
    expect(denied(body, ['baker'])).toMatch(/asset "rates".*reach depot:rates/);
  });

  it('is refused for a server of its playbook', () => {
    const body = 'servers: [depot]\nplaybook: Help.\n';
    expect(denied(body, ['baker'])).toMatch(/"playbook".*the server "depot"/);
    expect(denied('servers: [oven]\nplaybook: Help.\n', ['baker'])).toBeNull();
  });
});

describe('roles that somebody gives', () => {
  it('are among their own, and those that deny something are not left out', () => {
    expect(policy.refusalToGive(['baker', 'guest'], ['guest'])).toBeNull();
    expect(policy.refusalToGive(['baker'], ['tester'])).toMatch(/do not have the role "tester"/);
    expect(policy.refusalToGive(['baker', 'careful'], ['baker'])).toMatch(/"careful" denies something/);
    expect(policy.refusalToGive(['baker'], [])).toMatch(/without a role/);
    expect(policy.refusalToGive([], [])).toBeNull();
  });
});
