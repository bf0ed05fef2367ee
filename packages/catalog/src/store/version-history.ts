import { isSelected, type SkillVersion, type VersionSelector } from './skill-version.ts';

/** The versions of skills that were seen, so many of each. */
export class VersionHistory {
  readonly #keep: number;
  readonly #byName = new Map<string, SkillVersion[]>();

  /** @param keep versions of one skill; with another one the oldest is forgotten */
  constructor(keep: number) {
    this.#keep = keep;
  }

  /**
   * Notes that a version is the current one of its skill.
   * @returns whether it was not already
   */
  add({ name, hash, version, path, file, text }: SkillVersion): boolean {
    const versions = this.#byName.get(name) ?? [];
    if (versions.at(-1)?.hash === hash) return false;
    // A version that comes back is the latest again, and not twice there.
    const others = versions.filter((one) => one.hash !== hash);
    this.#byName.set(name, [...others, { name, hash, version, path, file, text }].slice(-this.#keep));
    return true;
  }

  /** The versions of a skill, oldest first. */
  of(name: string): readonly SkillVersion[] {
    return this.#byName.get(name) ?? [];
  }

  find(name: string, selector: VersionSelector): SkillVersion | undefined {
    return this.of(name).findLast((one) => isSelected(one, selector));
  }
}
