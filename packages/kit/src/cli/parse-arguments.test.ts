import { describe, expect, it } from 'vitest';
import { KitError } from '../kit-error.ts';
import { handshakeOf, jsonFlag, parseArguments } from './parse-arguments.ts';

describe('the command line of a skill', () => {
  it('has words, then flags with the value that follows each', () => {
    const { words, flags } = parseArguments(['mooring', 'advance', '--step', 'berth', '--output', '{}']);
    expect(words).toEqual(['mooring', 'advance']);
    expect([...flags]).toEqual([
      ['step', 'berth'],
      ['output', '{}'],
    ]);
  });

  it('takes whatever follows a flag as its value', () => {
    expect(parseArguments(['--host', '--params', '{}']).flags).toEqual(new Map([['host', '--params']]));
  });

  it('takes the last of two, and drops a flag without a value', () => {
    expect(parseArguments(['--step', 'a', '--step', 'b', '--host']).flags).toEqual(new Map([['step', 'b']]));
  });

  it('passes over words between flags', () => {
    expect(parseArguments(['--step', 'a', 'stray', '--host', 'x']).words).toEqual([]);
  });

  it('hears a call for help wherever it stands', () => {
    expect(parseArguments(['advance', '--output', '--help']).wantsHelp).toBe(true);
    expect(parseArguments(['-h']).wantsHelp).toBe(true);
  });

  it('reads who runs the skill', () => {
    const { flags } = parseArguments(['--subagent', '--tools', ' Agent, ,TaskCreate ', '--host', 'codex']);
    expect(handshakeOf(flags)).toEqual({
      host: 'codex',
      toolsAvailable: ['Agent', 'TaskCreate'],
      isSubagent: true,
    });
    expect(handshakeOf(new Map())).toEqual({ host: 'generic', toolsAvailable: [], isSubagent: false });
  });

  it('says which flag is no JSON', () => {
    expect(() => jsonFlag(new Map([['history', 'nope']]), 'history')).toThrow(/--history is no JSON: .*nope/);
    expect(() => jsonFlag(new Map([['history', 'nope']]), 'history')).toThrow(KitError);
    expect(jsonFlag(new Map([['output', 'null']]), 'output')).toBeNull();
    expect(jsonFlag(new Map(), 'output')).toBeUndefined();
  });
});
