import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type LoadedConfig, loadConfig } from '@skillyard/runtime';
import { displayPath } from '../skill/read-file.ts';
import type { Surroundings } from '../surroundings.ts';

/** The examples lie beside the packages in the repository, and nowhere where only the command is installed. */
const EXAMPLES = new URL('../../../../examples/skillyard.yaml', import.meta.url);

/** The configuration that runs all examples, and how it is called here; null where there are none. */
export async function loadExampleConfig({
  cwd,
  env,
}: Surroundings): Promise<{ loaded: LoadedConfig; shown: string } | null> {
  const file = fileURLToPath(EXAMPLES);
  try {
    await access(file);
  } catch {
    return null;
  }
  return { loaded: await loadConfig({ cwd, env, file }), shown: displayPath(file, cwd) };
}
