import type { Config, ToolEffect } from '@skillyard/contracts';
import type { TurnSettings } from '@skillyard/engine';
import type { RedisToolCatalog } from '@skillyard/queue';
import { turnSettings } from '@skillyard/runtime';

/**
 * What is decided about a turn that starts now: what the configuration says, and of trusted servers what they say of
 * their tools. It is fixed for the turn: a server that changes its mind later changes nothing in turns under way.
 */
export async function currentSettings(
  config: Config,
  catalog: Pick<RedisToolCatalog<unknown>, 'find'>,
): Promise<TurnSettings> {
  const settings = turnSettings(config);
  const trusted = Object.entries(config.servers ?? {}).filter(([, server]) => server.trusted === true);
  const effects: Record<string, ToolEffect> = {};
  for (const [server] of trusted) {
    const published = await catalog.find(server);
    // The worker that published them let the configuration have its say first.
    for (const [tool, effect] of Object.entries(published?.effects ?? {}))
      effects[`${server}:${tool}`] = effect;
  }
  return { ...settings, effects: { ...effects, ...settings.effects } };
}
