import type { Config, ToolEffect } from '@skillyard/contracts';
import type { TurnSettings } from '@skillyard/engine';

/** Iterations of one loop in flight, when the skill does not say. */
const WINDOW = 64;

/** What a configuration decides about a turn, whichever driver runs it. */
export function turnSettings(config: Config, fanOut?: TurnSettings['fanOut']): TurnSettings {
  return {
    fanOut: fanOut ?? config.fan_out ?? 'auto',
    window: WINDOW,
    vocabulary: {
      decisionMarkers: config.vocabulary?.decision_markers ?? [],
      truncationNotes: config.vocabulary?.truncation_notes ?? [],
    },
    effects: toolEffects(config),
  };
}

/** The effects that a configuration declares, per `server` and `server:tool`. */
function toolEffects(config: Config): Record<string, ToolEffect> {
  const effects: Record<string, ToolEffect> = {};
  for (const [server, { effect, effects: perTool }] of Object.entries(config.servers ?? {})) {
    if (effect !== undefined) effects[server] = effect;
    for (const [tool, declared] of Object.entries(perTool ?? {})) effects[`${server}:${tool}`] = declared;
  }
  return effects;
}
