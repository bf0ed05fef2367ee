import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Handshake } from '../definition/skill-definition.ts';
import { HOST_TOOLS } from './host-registry.ts';
import { preamble } from './preamble.ts';

interface RecordedPreamble {
  readonly leading_system: string | null;
  readonly standard_intro_lines: number;
  readonly columns: readonly string[];
  readonly separator_row: string;
  readonly rows: readonly { readonly tag: string; readonly tool: string }[];
}

interface RecordedCall {
  readonly argv: readonly string[];
  readonly comment: string;
  readonly stdout_json: { readonly preamble: { readonly $preamble: RecordedPreamble } };
}

const CALLS = (
  JSON.parse(
    readFileSync(
      new URL(
        '../../../../conformance/kit/transcripts/tea-tasting.cli-stateless.preamble-per-host.json',
        import.meta.url,
      ),
      'utf8',
    ),
  ) as { readonly calls: readonly RecordedCall[] }
).calls;

const SYSTEM = 'You are a patient tea sommelier.';

/** The parts of a preamble that are recorded: the words are ours. */
function partsOf(text: string, system: string): RecordedPreamble {
  const body = text.startsWith(`${system}\n\n`) ? text.slice(system.length + 2) : text;
  const lines = body.split('\n');
  const header = lines.findIndex((line) => line.startsWith('|'));
  const cells = (line: string): string[] => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''));
  return {
    leading_system: body === text ? null : system,
    standard_intro_lines: header,
    columns: cells(lines[header] ?? ''),
    separator_row: lines[header + 1] ?? '',
    rows: lines.slice(header + 2).map((line) => {
      const [tag = '', tool = ''] = cells(line);
      return { tag, tool };
    }),
  };
}

function handshakeOf(argv: readonly string[]): Handshake {
  const value = (flag: string): string | undefined =>
    argv.includes(flag) ? argv[argv.indexOf(flag) + 1] : undefined;
  return {
    host: value('--host') ?? 'generic',
    toolsAvailable: value('--tools')?.split(',') ?? [],
    // The recorded calls with `--subagent` show an implementation that does not hear it.
    isSubagent: false,
  };
}

describe('the preamble', () => {
  it.each(CALLS.map((call) => [call.comment, call] as const))(
    'has the recorded structure: %s',
    (_comment, { argv, stdout_json }) => {
      const { leading_system, standard_intro_lines, columns, separator_row, rows } =
        stdout_json.preamble.$preamble;
      expect(partsOf(preamble(handshakeOf(argv), SYSTEM), SYSTEM)).toEqual({
        leading_system,
        standard_intro_lines,
        columns,
        separator_row,
        rows,
      });
    },
  );

  it('begins with the intro when the skill has no persona', () => {
    expect(preamble({ host: 'generic', toolsAvailable: [], isSubagent: false }, undefined)).toMatch(
      /^A program leads you/,
    );
  });

  it('has other words for a kind whose host has a tool, and names the tool in them', () => {
    const withTool = preamble({ host: 'claude-code', toolsAvailable: [], isSubagent: false }, undefined);
    const without = preamble({ host: 'cursor', toolsAvailable: [], isSubagent: false }, undefined);
    for (const tool of ['AskUserQuestion', 'EnterPlanMode', 'TaskCreate', 'TaskUpdate', 'Agent']) {
      expect(howToUse(withTool)).toContain(tool);
      expect(without).not.toContain(tool);
    }
    expect(preamble({ host: 'gemini-cli', toolsAvailable: [], isSubagent: false }, undefined)).toContain(
      'tracker-update-task',
    );
    expect(preamble({ host: 'cline', toolsAvailable: [], isSubagent: false }, undefined)).toContain(
      'one after another',
    );
  });

  it('says that open questions use no tool, whatever the host has', () => {
    for (const host of ['generic', ...HOST_TOOLS.keys()]) {
      expect(preamble({ host, toolsAvailable: [], isSubagent: false }, undefined)).toContain(
        'An open question has no options and uses no tool',
      );
    }
  });

  it('tells a model of the platform that people were asked already', () => {
    expect(preamble({ host: 'skillyard', toolsAvailable: [], isSubagent: false }, undefined)).toContain(
      '`<answers>`',
    );
  });
});

function howToUse(text: string): string {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(' | ').at(2) ?? '')
    .join('\n');
}
