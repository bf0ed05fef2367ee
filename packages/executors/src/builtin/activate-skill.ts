import { homedir } from 'node:os';
import {
  activateSkill,
  activationTool,
  type AgentSkill,
  catalogSkills,
  catalogText,
  loadAgentSkills,
} from '@skillyard/catalog';
import { type AgentSkillsConfig, type JsonObject, SkillyardError } from '@skillyard/contracts';
import type { Environment } from '../redaction.ts';
import type { ToolAnswer } from '../tools/tool-server.ts';
import type { BuiltinTool } from './builtin-server.ts';

/** The agent that our models are, for skills that are meant for some agents only. */
const AGENT = 'skillyard';
/** A longer list of files helps no model. */
const MOST_RESOURCES = 200;

/**
 * `builtin:activate_skill`: a model is told the names and descriptions of the agent skills, and gets the instructions of
 * the one it chooses. Skills are read once, when the first model needs them.
 * @returns gives the tool, or none where there are no skills to choose from
 * @throws SkillyardError (from what is returned) what the loader throws; the next call reads anew
 */
export function activateSkillTool(
  config: AgentSkillsConfig | undefined,
  place: { readonly env: Environment; readonly baseDir: string },
): () => Promise<readonly BuiltinTool[]> {
  let loaded: Promise<readonly BuiltinTool[]> | undefined;
  const load = async (wanted: AgentSkillsConfig): Promise<readonly BuiltinTool[]> => {
    const home = place.env['HOME'] ?? homedir();
    const skills = await loadAgentSkills(wanted, { cwd: place.baseDir, home });
    return toolOf(catalogSkills(skills.skills(AGENT)));
  };
  return () => {
    if (config === undefined) return Promise.resolve([]);
    loaded ??= load(config).catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

function toolOf(skills: readonly AgentSkill[]): BuiltinTool[] {
  if (skills.length === 0) return [];
  const { name, description, parameters } = activationTool(skills);
  return [
    {
      listed: {
        name,
        description,
        inputSchema: parameters,
        readOnlyHint: true,
        idempotentHint: true,
        guide: catalogText(skills),
      },
      run: (args) => activate(skills, args),
    },
  ];
}

async function activate(skills: readonly AgentSkill[], args: JsonObject): Promise<ToolAnswer> {
  const activation = activateSkill(skills, args);
  if ('error' in activation) return { text: activation.error, failed: true };
  const answer = JSON.parse(activation.output) as JsonObject;
  const skill = skills.find(({ name }) => name === answer['skill']);
  const resources = skill === undefined ? [] : await resourcesOf(skill);
  const text = resources.length === 0 ? activation.output : JSON.stringify({ ...answer, resources });
  return { text, failed: false };
}

/** Files that come with a skill, listed and never read: the model reads those it needs with the tools it has. */
async function resourcesOf({ resources }: AgentSkill): Promise<string[]> {
  try {
    const all = await resources.list();
    const more = all.length - MOST_RESOURCES;
    return more > 0 ? [...all.slice(0, MOST_RESOURCES), `(and ${more} more)`] : [...all];
  } catch (error) {
    // The instructions are what was asked for; that the files cannot be listed is said in their place.
    if (SkillyardError.is(error)) return [`(${error.message})`];
    throw error;
  }
}
