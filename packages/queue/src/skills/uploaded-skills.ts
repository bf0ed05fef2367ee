import { SkillyardError } from '@skillyard/contracts';
import type { QueueConnection } from '../connection.ts';
import { DELETE_SKILL, UPLOAD } from './upload-script.ts';

/** A version of a skill that was uploaded. */
export interface UploadedVersion {
  readonly hash: string;
  /** `skill_version` of its header; may be empty. */
  readonly version: string;
  readonly atMs: number;
  /** Who uploaded it. */
  readonly by: string;
}

/** The current version of an uploaded skill, without its text. */
export interface UploadedSkill extends UploadedVersion {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** Skills of one tenant. */
const MAX_SKILLS = 1000;
/** Versions of one skill that are kept. */
const MAX_VERSIONS = 100;
/** Texts of all versions of all skills of one tenant. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The skills that tenants have uploaded. They stay until newer versions take their place, or they are deleted. */
export class UploadedSkills {
  readonly #connection: QueueConnection;

  constructor(connection: QueueConnection) {
    this.#connection = connection;
  }

  /** The current version of every skill of a tenant, in no particular order. */
  async list(tenant: string): Promise<UploadedSkill[]> {
    const { redis, keys } = this.#connection;
    const found = await redis.hvals(keys.tenantSkills(tenant).skills);
    return found.map((json) => JSON.parse(json) as UploadedSkill);
  }

  /** The current version of a skill; null when the tenant has none of this name. */
  async current(tenant: string, name: string): Promise<UploadedSkill | null> {
    const { redis, keys } = this.#connection;
    const json = await redis.hget(keys.tenantSkills(tenant).skills, name);
    return json === null ? null : (JSON.parse(json) as UploadedSkill);
  }

  /** The versions that are kept of a skill, the newest first. */
  async versions(tenant: string, name: string): Promise<UploadedVersion[]> {
    const { redis, keys } = this.#connection;
    const lines = await redis.hget(keys.tenantSkills(tenant).versions, name);
    return lines === null ? [] : lines.split('\n').map((line) => JSON.parse(line) as UploadedVersion);
  }

  /** The text of a version; null when it is no longer kept. */
  async text(tenant: string, hash: string): Promise<string | null> {
    const { redis, keys } = this.#connection;
    return redis.hget(keys.tenantSkills(tenant).texts, hash);
  }

  /**
   * Makes a text the current version of its skill. The same text again changes its time and who uploaded it.
   * @throws SkillyardError INPUT_INVALID if the tenant has as many skills, or bytes of them, as it may
   */
  async upload(tenant: string, skill: UploadedSkill, text: string): Promise<void> {
    const { redis, keys } = this.#connection;
    const { skills, versions, texts } = keys.tenantSkills(tenant);
    const { name, hash, version, atMs, by } = skill;
    const line = JSON.stringify({ hash, version, atMs, by } satisfies UploadedVersion);
    const limits = [MAX_SKILLS, MAX_VERSIONS, MAX_BYTES];
    const args = [name, hash, JSON.stringify(skill), line, text, ...limits];
    const reply = await UPLOAD.run(redis, { keys: [skills, versions, texts], args });
    if (reply === 'ok') return;
    const what =
      reply === 'skills' ? `${MAX_SKILLS} skills` : `${MAX_BYTES} bytes of skills, old versions included,`;
    const message = `the tenant "${tenant}" has ${what} already, which is the most; put this one into a folder of the configuration`;
    throw new SkillyardError('INPUT_INVALID', message, { details: { tenant, skill: name } });
  }

  /** @returns whether there was one of this name */
  async delete(tenant: string, name: string): Promise<boolean> {
    const { redis, keys } = this.#connection;
    const { skills, versions, texts } = keys.tenantSkills(tenant);
    return (await DELETE_SKILL.run(redis, { keys: [skills, versions, texts], args: [name] })) === 1;
  }
}
