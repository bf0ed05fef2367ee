import { SkillyardError } from '@skillyard/contracts';
import type { AgentSkill, SkillResources } from './agent-skill.ts';
import { LIMITS } from './limits.ts';

const loaded = new WeakMap<SkillResources, Promise<ReadonlyMap<string, Uint8Array>>>();

/**
 * Reads every file that a skill lists, once: later calls get the same bytes. Files that cannot be read are left out.
 * @returns contents by path, in the order of the list
 * @throws SkillyardError SKILL_TOO_LARGE when they are more than memory should hold
 */
export function loadResources({ resources }: AgentSkill): Promise<ReadonlyMap<string, Uint8Array>> {
  let files = loaded.get(resources);
  if (files === undefined) {
    files = readAll(resources);
    loaded.set(resources, files);
  }
  return files;
}

async function readAll(resources: SkillResources): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  let bytes = 0;
  for (const path of await resources.list()) {
    const content = await resources.read(path).catch((error: unknown) => {
      if (SkillyardError.is(error)) return null;
      throw error;
    });
    if (content === null) continue;
    bytes += content.length;
    if (bytes > LIMITS.loadedResourceBytes) {
      const message = `the files of a skill have more than ${LIMITS.loadedResourceBytes} bytes; read them one by one`;
      throw new SkillyardError('SKILL_TOO_LARGE', message, { details: { file: path } });
    }
    files.set(path, content);
  }
  return files;
}
