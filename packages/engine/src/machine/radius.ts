/**
 * What a turn may reach. A flow lists servers, and a step can only narrow that list. Where the header of the skill says
 * where its tools come from (format 2.5.0), what that came to at the start of the turn bounds the list once more, down to
 * single tools: an entry is a server with all its tools, or one tool as `server:tool`.
 */
import type { TurnRadius } from '@skillyard/contracts';
import { boundsRadius } from '../format/sources.ts';
import type { InstructionCode, Program } from './program.ts';
import type { Turn } from './turn.ts';

/** The pseudo-server of built-in tools: in every radius that an `on_server` names it in. */
const BUILTIN_SERVER = 'builtin';
/** A radius may have thousands of tools, and a message is read by people. */
const MAX_SHOWN = 20;

/**
 * The radius of a turn whose skill has sources.
 * @returns undefined when they bound nothing: then the list of the flow counts alone
 */
export function boundedRadius(
  program: Program,
  resolved: TurnRadius | undefined,
): readonly string[] | undefined {
  const { sources } = program;
  // A driver that resolved nothing gives nothing away.
  const tools = resolved?.tools ?? (sources !== null && boundsRadius(sources.header) ? [] : null);
  if (tools === null) return undefined;
  const listed = program.tools ?? [];
  return sources?.alone === true
    ? [...new Set([...listed.filter(isBuiltin), ...tools])]
    : narrowTools(listed, tools);
}

/**
 * Whether a turn may reach a server, or a tool of it (spec section 8). `builtin` is in every radius.
 * @returns what to say when it may not
 */
export function radiusRefusal(turn: Turn, server: string, tool?: string): string | undefined {
  if (server === BUILTIN_SERVER) return undefined;
  if (server === '') return 'on_server came to an empty name';
  const { program, header } = turn;
  const { radius } = header;
  if (radius === undefined) {
    if (program.tools?.includes(server)) return undefined;
    const listed =
      program.tools === null ? 'declares no tools' : `lists ${program.tools.join(', ') || 'none'}`;
    return `server "${server}" is outside the radius: the workflow ${listed}`;
  }
  if (radius.includes(server)) return undefined;
  const name = tool === undefined ? '' : `${server}:${tool}`;
  if (tool === undefined ? radius.some((entry) => entry.startsWith(`${server}:`)) : radius.includes(name)) {
    return undefined;
  }
  const what = radius.some((entry) => entry.startsWith(`${server}:`))
    ? `tool "${name}"`
    : `server "${server}"`;
  const more = radius.length > MAX_SHOWN ? ` and ${radius.length - MAX_SHOWN} more` : '';
  const listed = radius.length === 0 ? 'nothing' : `${radius.slice(0, MAX_SHOWN).join(', ')}${more}`;
  return `${what} is outside the radius, which the sources of the skill bound to ${listed}`;
}

/** What the model of a step may call; null when nothing is declared. */
export function toolsOfStep({ header }: Turn, step: InstructionCode): readonly string[] | null {
  if (header.radius === undefined) return step.tools;
  return step.tools === null ? header.radius : narrowTools(step.tools, header.radius);
}

/** What the model of a step may call of the one server that `on_server` came to. */
export function toolsOfServer({ header }: Turn, server: string): readonly string[] {
  return header.radius === undefined ? [server] : narrowTools([server], header.radius);
}

/** The entries of a list as far as a radius covers them, in the order of the list. */
function narrowTools(listed: readonly string[], radius: readonly string[]): readonly string[] {
  const kept = listed.flatMap((entry) => {
    if (isBuiltin(entry) || radius.includes(entry) || radius.includes(serverOf(entry))) return [entry];
    return radius.filter((one) => one.startsWith(`${entry}:`));
  });
  return [...new Set(kept)];
}

function isBuiltin(entry: string): boolean {
  return serverOf(entry) === BUILTIN_SERVER;
}

function serverOf(entry: string): string {
  const colon = entry.indexOf(':');
  return colon < 0 ? entry : entry.slice(0, colon);
}
