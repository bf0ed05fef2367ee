import type { Client, Tool } from '@modelcontextprotocol/client';
import { isRecord } from '../../is-record.ts';
import type { Reply } from './corrections.ts';

/** What a server says of itself; of its instructions only what it leaves out of what it must name. */
export function describeInstructions(client: Client, recorded: Readonly<Record<string, unknown>>): unknown {
  const { name = '', version = '' } = client.getServerVersion() ?? {};
  const { tools } = client.getServerCapabilities() ?? {};
  const instructions = client.getInstructions() ?? '';
  return {
    capabilities: { tools },
    serverInfo: { name, version },
    unsaid: mustBeSaid(recorded['instructions'], name).filter((text) => !instructions.includes(text)),
  };
}

function mustBeSaid(recorded: unknown, name: string): string[] {
  const shape = isRecord(recorded) ? recorded['$instructions'] : undefined;
  if (!isRecord(shape)) return [];
  const { names_skill_in_quotes, step_lines, lists } = shape as {
    names_skill_in_quotes?: boolean;
    step_lines?: readonly { readonly step: string; readonly text: string }[];
    lists?: readonly string[];
  };
  return [
    ...(names_skill_in_quotes === true ? [`"${name}"`] : []),
    ...(step_lines ?? []).flatMap(({ step, text }) => [step, text]),
    ...(lists ?? []).flatMap((list) => list.split(', ')),
  ];
}

interface RecordedTool {
  readonly name: string;
  readonly description: { readonly $mentions_skill_name?: boolean; readonly $lists?: string | null };
  readonly inputSchema: unknown;
}

/** The tools as a caller needs them: which there are, what each takes, and whether it says what it is about. */
export function describeTools(
  recorded: Readonly<Record<string, unknown>>,
  tools: readonly Tool[],
  skill: string,
): Reply {
  const wanted = Array.isArray(recorded['tools']) ? (recorded['tools'] as readonly RecordedTool[]) : [];
  return {
    recorded: Object.fromEntries(
      wanted.map(({ name, inputSchema }) => [name, { input: inputOf(inputSchema), unsaid: [] }]),
    ),
    actual: Object.fromEntries(
      tools.map(({ name, inputSchema, description = '' }) => {
        const shape = wanted.find((tool) => tool.name === name)?.description ?? {};
        const must = [
          ...(shape.$mentions_skill_name === true ? [skill] : []),
          ...(shape.$lists ?? '').split(', ').filter((word) => word !== ''),
        ];
        const unsaid = must.filter((word) => !description.includes(word));
        return [name, { input: inputOf(inputSchema), unsaid }];
      }),
    ),
  };
}

/** How the fields of an input are written differs with the version of the SDK; which there are does not. */
function inputOf(schema: unknown): unknown {
  const { type, properties, required } = (isRecord(schema) ? schema : {}) as {
    type?: unknown;
    properties?: Readonly<Record<string, { readonly type?: unknown }>>;
    required?: readonly string[];
  };
  return {
    type,
    properties: Object.entries(properties ?? {}).map(([name, one]) => `${name}: ${String(one.type)}`),
    required: [...(required ?? [])].toSorted(),
  };
}
