import type { Handshake } from '../definition/skill-definition.ts';
import { HOST_TOOLS } from './host-registry.ts';
import { type DescribedKind, PRIMITIVE_KINDS } from './primitive-kinds.ts';

/** A kind of primitive and the tool that carries it out; null when the host has none. */
export interface ResolvedKind {
  readonly kind: DescribedKind;
  readonly tool: string | null;
}

/**
 * The tools that count as there. An agent tends to report fewer than it has, so what is known of its host is added; a
 * sub-agent really has fewer, so what it reports is all.
 */
export function availableTools(handshake: Handshake): ReadonlySet<string> {
  const { host, toolsAvailable, isSubagent } = handshake;
  if (isSubagent && toolsAvailable.length > 0) {
    return new Set(toolsAvailable);
  }
  return new Set([...toolsAvailable, ...(HOST_TOOLS.get(host) ?? [])]);
}

/** The tool of every kind of primitive, in the order of the preamble. */
export function resolveTools(handshake: Handshake): readonly ResolvedKind[] {
  const available = availableTools(handshake);
  return PRIMITIVE_KINDS.map((kind) => ({
    kind,
    tool: kind.tools.find((name) => available.has(name)) ?? null,
  }));
}
