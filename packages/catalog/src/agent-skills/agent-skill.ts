/** A `SKILL.md` folder that has been read. */
export interface AgentSkill {
  readonly name: string;
  /** Empty when the file has no front matter. */
  readonly description: string;
  readonly license: string;
  readonly compatibility: string;
  readonly allowedTools: readonly string[];
  /** The agents that the file names; empty when where it stands decides. */
  readonly agents: readonly string[];
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  /** The Markdown behind the front matter, without blank edges. */
  readonly body: string;
  /** `/` and the folder, with that of the agent between them; in an archive, the whole path in it. */
  readonly location: string;
  /** The `SKILL.md`, for people. In an archive: the archive, `!/`, the entry. */
  readonly file: string;
  readonly resources: SkillResources;
}

/** The files of a skill besides its `SKILL.md`. Nothing outside its folder can be reached through this. */
export interface SkillResources {
  /**
   * Paths from the folder of the skill, with `/` between the parts. On disk: the files of the folder and those one
   * folder deeper, in the order of the folder; in an archive: all of them, in the order of their paths.
   * @throws SkillyardError SKILL_TOO_LARGE when there are too many to be listed
   */
  list(): Promise<readonly string[]>;
  /**
   * @param path from the folder of the skill
   * @throws SkillyardError FILE_UNREADABLE when it leads outside, is no file or cannot be read
   * @throws SkillyardError SKILL_TOO_LARGE
   */
  read(path: string): Promise<Uint8Array>;
}
