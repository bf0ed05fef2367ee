import type { StepJob, TurnRadius } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { loadTurn } from '../src/index.ts';
import { Drive, type DriveOptions } from './drive.ts';

const SOURCES = 'tool_refs: [gh:search]\nmcp_sources: [{server: db}]\n';

function radiusOf(...tools: string[]): TurnRadius {
  return { tools, entries: [], included: [], missing: [] };
}

function drive(workflow: string, options: DriveOptions): Drive {
  return new Drive(workflow, { version: '2.5.0', header: SOURCES, ...options });
}

const GENERATE = 'steps: [{instruction: Look.}]';
const toolsOf = (turn: Drive): unknown => turn.generation.tools;

describe('the radius of a turn whose skill has sources', () => {
  it('is told by the event of its start', () => {
    const radius: TurnRadius = {
      tools: ['gh:search', 'db'],
      entries: [{ name: 'gh:search', skill: 'driven', inline: false, overrides: { x: 1 } }],
      included: [{ name: 'other', hash: 'h' }],
      missing: [{ skill: 'driven', include: 'gone' }],
    };
    const turn = drive(`tools: [gh]\n${GENERATE}`, { radius });
    expect(turn.events[0]).toEqual({
      type: 'turn.started',
      atMs: 1000,
      radius: { ...radius, tools: ['gh:search'] },
    });
  });

  it('is what the sources come to where the flow lists nothing', () => {
    expect(toolsOf(drive(GENERATE, { radius: radiusOf('gh:search', 'db') }))).toEqual(['gh:search', 'db']);
  });

  it('is what the flow lists, as far as the sources cover it', () => {
    const radius = radiusOf('gh:search', 'gh:issue', 'db');
    expect(toolsOf(drive(`tools: [db, builtin, gh, mail]\n${GENERATE}`, { radius }))).toEqual([
      'db',
      'builtin',
      'gh:search',
      'gh:issue',
    ]);
    expect(toolsOf(drive(`tools: []\n${GENERATE}`, { radius }))).toEqual([]);
  });

  it.each(['', 'tools: [gh, db, mail]\n'])('narrows the list of a step, below %j', (flow) => {
    const radius = radiusOf('gh:search', 'db');
    const own = 'steps: [{instruction: Look., tools: [mail, gh]}]';
    expect(toolsOf(drive(flow + own, { radius }))).toEqual(['gh:search']);
    const one = 'steps: [{instruction: Look., on_server: "{{where}}"}]';
    expect(toolsOf(drive(flow + one, { radius, vars: { where: 'gh' } }))).toEqual(['gh:search']);
    expect(toolsOf(drive(flow + one, { radius, vars: { where: 'builtin' } }))).toEqual(['builtin']);
  });

  it('bounds nothing when the sources name no servers', () => {
    const radius = { ...radiusOf(), tools: null };
    const header = 'agent_skills: [./a]\n';
    expect(toolsOf(drive(`tools: [gh]\n${GENERATE}`, { radius, header }))).toEqual(['gh']);
    expect(toolsOf(drive(GENERATE, { radius, header }))).toBeNull();
  });

  it('is nothing when nobody has resolved the sources', () => {
    expect(toolsOf(drive(GENERATE, {}))).toEqual([]);
    expect(toolsOf(drive(`tools: [gh]\n${GENERATE}`, {}))).toEqual([]);
  });

  it.each([
    ['gh:search', undefined],
    ['db:anything', undefined],
    ['builtin:memory_read', undefined],
    [
      'gh:delete',
      'tool "gh:delete" is outside the radius, which the sources of the skill bound to gh:search, db',
    ],
    [
      'mail:send',
      'server "mail" is outside the radius, which the sources of the skill bound to gh:search, db',
    ],
  ])('lets a call of %s through, or refuses it with RADIUS_REFUSED', (tool, refusal) => {
    const turn = drive(`steps: [{call: {tool: "${tool}"}}]`, { radius: radiusOf('gh:search', 'db') });
    expect(turn.open.map(({ kind }) => kind)).toEqual(refusal === undefined ? ['call'] : []);
    if (refusal !== undefined) {
      expect(turn.outcome?.error?.code).toBe('RADIUS_REFUSED');
      expect(turn.outcome?.error?.message).toContain(refusal);
    }
  });

  it('refuses an asset of a tool outside it', () => {
    const assets = 'assets: {a: {source: mcp, ref: "gh:delete"}}\n';
    const turn = drive(`${assets}steps: [{instruction: "{{asset:a}}"}]`, { radius: radiusOf('gh:search') });
    expect(turn.outcome?.error?.message).toContain('tool "gh:delete" is outside the radius');
  });

  it('answers a call of a model outside it with a refusal, whoever offered the tool', () => {
    const turn = drive(GENERATE, { radius: radiusOf('gh:search') });
    const call = (tool: string) => ({ callId: tool, server: 'gh', tool, args: {} });
    turn.answer({ toolRequests: [call('delete'), call('search')] });
    expect(turn.open.map((job: StepJob) => job.kind === 'call' && job.tool)).toEqual(['search']);
    turn.answer({ text: 'found' });
    expect(turn.generation.replies).toMatchObject([
      { tool: 'gh:delete', failed: true, text: expect.stringContaining('outside the radius') },
      { tool: 'gh:search', failed: false },
    ]);
    turn.answer({ text: 'done' });
    expect(turn.outcome).toMatchObject({ status: 'completed', answer: 'done' });
  });

  it('stays with a turn that is saved and loaded', () => {
    const turn = drive('steps: [{instruction: Look.}, {call: {tool: "mail:send"}}]', {
      radius: radiusOf('gh:search'),
    });
    const records = JSON.parse(JSON.stringify(turn.turn.save())) as ReturnType<typeof turn.turn.save>;
    expect(loadTurn(turn.turn.program, records).header.radius).toEqual(['gh:search']);
  });

  it('walks a loop in order under on_error: abort when a model may reach what is not known before', () => {
    const loop = 'steps: [{for_each: {in: input, as: i, steps: [{instruction: "{{i}}", save_as: r}]}}]';
    const turn = drive(loop, { radius: radiusOf('db'), vars: { input: '["a","b"]' } });
    expect(turn.open).toHaveLength(1);
  });
});
