import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Handshake } from '../definition/skill-definition.ts';
import { HOST_TOOLS } from './host-registry.ts';
import { PRIMITIVE_KINDS } from './primitive-kinds.ts';
import { availableTools, resolveTools } from './resolve-tools.ts';

interface Registry {
  readonly hosts: Readonly<Record<string, readonly string[]>>;
  readonly primitive_tools_in_match_order: Readonly<Record<string, readonly string[]>>;
  readonly resolved_per_host_null_means_generic: Readonly<
    Record<string, Readonly<Record<string, string | null>>>
  >;
}

const REGISTRY = JSON.parse(
  readFileSync(new URL('../../../../conformance/kit/host-registry.json', import.meta.url), 'utf8'),
) as Registry;

function handshake(over: Partial<Handshake>): Handshake {
  return { host: 'generic', toolsAvailable: [], isSubagent: false, ...over };
}

function toolsOf(over: Partial<Handshake>): Record<string, string | null> {
  return Object.fromEntries(resolveTools(handshake(over)).map(({ kind, tool }) => [kind.tag, tool]));
}

describe('what is known of hosts', () => {
  it('is what is recorded', () => {
    expect(Object.fromEntries(HOST_TOOLS)).toEqual(REGISTRY.hosts);
    expect(Object.fromEntries(PRIMITIVE_KINDS.map((kind) => [kind.tag, kind.tools]))).toEqual(
      REGISTRY.primitive_tools_in_match_order,
    );
  });

  it.each(Object.entries(REGISTRY.resolved_per_host_null_means_generic))(
    'gives the recorded tools to %s',
    (host, resolved) => {
      expect(toolsOf({ host })).toEqual(resolved);
    },
  );
});

describe('reported tools', () => {
  it('are added to those of the host', () => {
    expect(toolsOf({ host: 'claude-code', toolsAvailable: ['Read', 'Bash'] })['ask-user']).toBe(
      'AskUserQuestion',
    );
  });

  it('are all that a sub-agent has', () => {
    const tools = toolsOf({ host: 'claude-code', toolsAvailable: ['Read', 'Agent'], isSubagent: true });
    expect(tools).toMatchObject({ 'ask-user': null, subagent: 'Agent' });
  });

  it('are those of the host for a sub-agent that reports none', () => {
    expect(toolsOf({ host: 'claude-code', isSubagent: true })['plan']).toBe('EnterPlanMode');
  });

  it('are all that a host has of which nothing is known, whatever its name', () => {
    expect([...availableTools(handshake({ host: 'constructor', toolsAvailable: ['question'] }))]).toEqual([
      'question',
    ]);
  });
});
