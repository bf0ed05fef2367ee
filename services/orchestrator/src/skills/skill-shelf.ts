import { skillHash } from '@skillyard/catalog';
import {
  ALL_TENANTS,
  type Caller,
  DEFAULT_TENANT,
  type SkillSummary,
  SkillyardError,
  type SkillVersionList,
} from '@skillyard/contracts';
import type { UploadedSkills, UploadedVersion } from '@skillyard/queue';
import type { SkillFinder } from '@skillyard/runtime';
import type { Skill } from '@skillyard/engine';
import { boundSkill } from './accept-skill.ts';
import { AcceptedSkills } from './accepted-skills.ts';
import { titleOf } from './describe-skill.ts';
import type { Pace } from './pace.ts';
import type { ShelvedSkill } from './shelved-skill.ts';

/**
 * The skills that a tenant can name: those it has uploaded, and after them those in the folders of the configuration,
 * which all tenants share.
 */
export class SkillShelf {
  readonly #uploaded: UploadedSkills;
  readonly #folders: SkillFinder;
  readonly #now: () => number;
  readonly #pace: Pace | undefined;
  readonly #accepted = new AcceptedSkills();

  /** @param pace of reading large texts, where anybody may ask for as many as they like */
  constructor(uploaded: UploadedSkills, folders: SkillFinder, now: () => number = Date.now, pace?: Pace) {
    this.#uploaded = uploaded;
    this.#folders = folders;
    this.#now = now;
    this.#pace = pace;
  }

  /** Every skill in its current version, by name. Of one name, what was uploaded hides what lies in a folder. */
  async list(tenant: Caller['tenant']): Promise<SkillSummary[]> {
    const found = new Map<string, SkillSummary>();
    for (const { name, title, description, version, hash } of await this.#uploaded.list(ownerOf(tenant)))
      found.set(name, { name, title, description, version, hash, origin: 'uploaded' });
    for (const { name, hash, version, skill } of await this.#folders.all()) {
      if (found.has(name)) continue;
      const { description } = skill;
      found.set(name, { name, title: titleOf(skill), description, version, hash, origin: 'folder' });
    }
    return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * @param version `skill_version` or hash; the current one when absent
   * @throws SkillyardError SKILL_NOT_FOUND, SKILL_INVALID for one in a folder that has never loaded, FILE_UNREADABLE
   */
  async find(tenant: Caller['tenant'], name: string, version?: string): Promise<ShelvedSkill> {
    const uploaded = await this.#findUploaded(ownerOf(tenant), name, version);
    if (uploaded !== null) return uploaded;
    const { file, text, hash, version: found, skill } = await this.#readFolders(name, version);
    return { name, file, text, hash, version: found, origin: 'folder', skill };
  }

  /** Where the folders are is no business of a caller. */
  async #readFolders(name: string, version?: string): Promise<Awaited<ReturnType<SkillFinder['read']>>> {
    try {
      return await this.#folders.read(name, version);
    } catch (cause) {
      if (version !== undefined || !SkillyardError.is(cause, 'SKILL_NOT_FOUND')) throw cause;
      const message = `there is no skill "${name}"; GET /v1/skills lists those there are`;
      throw new SkillyardError('SKILL_NOT_FOUND', message, { details: { skill: name }, cause });
    }
  }

  async #findUploaded(tenant: string, name: string, wanted?: string): Promise<ShelvedSkill | null> {
    const one =
      wanted === undefined
        ? await this.#uploaded.current(tenant, name)
        : selected(name, await this.#uploaded.versions(tenant, name), wanted);
    if (one === null) return null;
    const text = await this.#uploaded.text(tenant, one.hash);
    // It went over the limit between the two questions.
    if (text === null) throw noVersion(name, wanted ?? one.version, []);
    const { hash, version } = one;
    const file = fileOf(name);
    return { name, file, text, hash, version, origin: 'uploaded', skill: await this.accept(text, file) };
  }

  /**
   * Reads a text that comes from outside.
   * @param file what messages call it
   * @throws SkillRefused SKILL_INVALID, SkillyardError SKILL_TOO_LARGE, API_UNAVAILABLE if too many large ones wait
   */
  async accept(text: string, file: string): Promise<Skill> {
    boundSkill(text, file);
    const read = (): Skill => this.#accepted.read(text, file);
    if (this.#pace === undefined || text.length <= SMALL) return read();
    return this.#accepted.find(text) ?? this.#pace.run(async () => read());
  }

  /**
   * The versions of a skill, the newest first: those that were uploaded, or else those that were seen in its folder.
   * @throws SkillyardError SKILL_NOT_FOUND
   */
  async versions(tenant: Caller['tenant'], name: string): Promise<SkillVersionList['versions']> {
    const uploaded = await this.#uploaded.versions(ownerOf(tenant), name);
    if (uploaded.length > 0) return uploaded.map((one, index) => ({ ...one, current: index === 0 }));
    await this.#readFolders(name);
    const seen = await this.#folders.versions(name);
    return seen.map(({ version, hash }, index) => ({
      version,
      hash,
      atMs: null,
      by: '',
      current: index === 0,
    }));
  }

  /**
   * Makes a text the current version of the skill that its header names.
   * @param by who uploads it
   * @throws SkillRefused SKILL_INVALID, SkillyardError SKILL_TOO_LARGE, INPUT_INVALID if the tenant has too many
   */
  async upload(tenant: Caller['tenant'], text: string, by: string): Promise<SkillSummary> {
    const skill = await this.accept(text, 'skill.yaml');
    const { name, description, skillVersion: version } = skill;
    if (version.length > MAX_VERSION) {
      const message = `skill_version has ${version.length} characters; ${MAX_VERSION} are let through`;
      throw new SkillyardError('INPUT_INVALID', message);
    }
    const summary = {
      name,
      title: titleOf(skill),
      description: description.slice(0, MAX_DESCRIPTION),
      version,
      hash: skillHash(text),
    };
    await this.#uploaded.upload(ownerOf(tenant), { ...summary, atMs: this.#now(), by }, text);
    return { ...summary, origin: 'uploaded' };
  }

  /**
   * Forgets an uploaded skill. One of its name that lies in a folder is no longer hidden.
   * @throws SkillyardError SKILL_NOT_FOUND
   */
  async delete(tenant: Caller['tenant'], name: string): Promise<void> {
    if (await this.#uploaded.delete(ownerOf(tenant), name)) return;
    const message = `no skill "${name}" was uploaded; what lies in a folder is deleted there`;
    throw new SkillyardError('SKILL_NOT_FOUND', message, { details: { skill: name } });
  }
}

/** Characters of a text that is read at once: one of 1 MiB takes up to a second (measured 1 Dec 2026). */
const SMALL = 64 * 1024;
/** As long as the API lets a version be asked for. */
const MAX_VERSION = 100;
/** Characters of a description that lists hold: a list of a thousand skills must not be as large as all of them. */
const MAX_DESCRIPTION = 1000;

/** Who acts for all tenants sees and uploads what the default one has. */
function ownerOf(tenant: Caller['tenant']): string {
  return tenant === ALL_TENANTS ? DEFAULT_TENANT : tenant;
}

function fileOf(name: string): string {
  return `${name}.yaml`;
}

/**
 * The newest version of this number, or the one of this hash.
 * @returns null for a skill that was never uploaded: a folder may have it
 * @throws SkillyardError SKILL_NOT_FOUND
 */
function selected(
  name: string,
  versions: readonly UploadedVersion[],
  wanted: string,
): UploadedVersion | null {
  if (versions.length === 0) return null;
  const found = versions.find(({ version, hash }) => version === wanted || hash === wanted);
  if (found !== undefined) return found;
  throw noVersion(name, wanted, versions);
}

function noVersion(name: string, wanted: string, known: readonly UploadedVersion[]): SkillyardError {
  const newest = known.slice(0, MAX_SHOWN).map(({ version, hash }) => version || hash);
  const message = `no version "${wanted}" of the uploaded skill "${name}" is kept; the newest are: ${newest.join(', ') || 'none'}`;
  return new SkillyardError('SKILL_NOT_FOUND', message, { details: { skill: name, version: wanted } });
}

/** Versions that a message names. */
const MAX_SHOWN = 10;
