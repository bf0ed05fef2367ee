import { type Config, type JsonObject, type SkillCheck, SkillyardError } from '@skillyard/contracts';
import { loadSkill, type Skill } from '@skillyard/engine';
import { lintSkill, preflight, preflightDocument } from '@skillyard/lint';
import type { RedisToolCatalog } from '@skillyard/queue';
import {
  installationFacts,
  type KnownTool,
  linterFacts,
  linterOptions,
  preflightInput,
  withResolvedServers,
} from '@skillyard/runtime';
import { boundSkill } from './accept-skill.ts';
import { Pace } from './pace.ts';
import type { SkillShelf } from './skill-shelf.ts';

/** What findings call a text that has no file. */
const FILE = 'skill.yaml';

/** Says of skills what is wrong with them and what they may do, as `skillyard check --live` does. Runs nothing. */
export class SkillChecker {
  readonly #config: Config;
  readonly #skills: SkillShelf;
  readonly #catalog: Pick<RedisToolCatalog<KnownTool>, 'find'>;
  readonly #pace = new Pace();

  /** @param catalog what workers have seen of the tool servers; of a server that none has reached nothing is known */
  constructor(config: Config, skills: SkillShelf, catalog: Pick<RedisToolCatalog<KnownTool>, 'find'>) {
    this.#config = config;
    this.#skills = skills;
    this.#catalog = catalog;
  }

  /**
   * Checks a text: one after the other, and with pauses, whoever asks.
   * @param tenant whose other skills it may name
   * @throws SkillyardError SKILL_TOO_LARGE, API_UNAVAILABLE if too many others wait
   */
  async check(tenant: string, text: string): Promise<SkillCheck> {
    boundSkill(text, FILE);
    return this.#pace.run(() => this.#checkNow(tenant, text));
  }

  async #checkNow(tenant: string, text: string): Promise<SkillCheck> {
    const { skill, diagnostics } = loadSkill(text, { file: FILE });
    const findings = await this.#lint(tenant, text);
    const refused = { accepted: false, findings, preflight: null };
    if (skill === null) return { ...refused, diagnostics: [...diagnostics] };
    try {
      return { accepted: true, diagnostics: [], findings, preflight: await this.#look(tenant, skill) };
    } catch (error) {
      // What it includes goes in a circle, or one of those does not load: it would end at its start.
      if (!SkillyardError.is(error) || error.kind !== 'caller') throw error;
      const { code, message } = error;
      return { ...refused, diagnostics: [{ code, severity: 'error', message, file: FILE }] };
    }
  }

  async #lint(tenant: string, text: string): Promise<JsonObject[]> {
    const [byServer, skills] = await Promise.all([this.#knownTools(), this.#skills.list(tenant)]);
    const facts = {
      ...installationFacts(this.#config, byServer),
      skill_names: skills.map(({ name }) => name),
    };
    const options = linterOptions(this.#config.lint ?? {});
    const { findings } = lintSkill(text, { file: FILE, facts: linterFacts(facts), options });
    return findings.map((finding) => ({ ...finding }));
  }

  async #look(tenant: string, skill: Skill): Promise<JsonObject> {
    const resolved = await withResolvedServers(skill, (name) => this.#skills.find(tenant, name));
    return preflightDocument(preflight(resolved, preflightInput(this.#config)));
  }

  async #knownTools(): Promise<Map<string, readonly KnownTool[]>> {
    const known = new Map<string, readonly KnownTool[]>();
    for (const server of Object.keys(this.#config.servers ?? {})) {
      const published = await this.#catalog.find(server);
      if (published !== null) known.set(server, published.tools);
    }
    return known;
  }
}
