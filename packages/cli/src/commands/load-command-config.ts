import { loadConfig, type LoadedConfig } from '@skillyard/runtime';
import type { Surroundings } from '../surroundings.ts';

/** The configuration of a command: the named one, or the one that is found. */
export function loadCommandConfig(
  surroundings: Surroundings,
  source: { readonly file?: string | undefined; readonly beside?: string },
): Promise<LoadedConfig> {
  const { cwd, env } = surroundings;
  return loadConfig({ cwd, env, file: source.file, beside: source.beside });
}
