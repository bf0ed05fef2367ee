const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * What is read at most. Skills come from strangers: everything that grows with what they send has a bound, far above
 * what a skill needs (the open standard advises 500 lines).
 */
export const LIMITS = {
  /** Bytes of one `SKILL.md`. */
  skillBytes: MIB,
  /** Bytes of all `SKILL.md` of all search paths, which are held at once. */
  totalSkillBytes: 128 * MIB,
  /** Characters of its front matter. */
  frontMatterChars: 32 * KIB,
  metadataEntries: 1000,
  /** Entries of one folder. More than that are no skills, and their order needs all the names at once. */
  folderEntries: 10_000,
  /** Entries looked at in all search paths together. */
  totalEntries: 50_000,
  /** Agent folders inside agent folders. */
  agentDepth: 6,
  /** Files of one skill that are listed. */
  resourceFiles: 2000,
  resourceBytes: 16 * MIB,
  /** Of all files of one skill that are held in memory. */
  loadedResourceBytes: 64 * MIB,
  /** Of one archive, before and after it is unpacked. */
  archiveEntries: 20_000,
  archiveNameChars: 4096,
  archiveEntryBytes: 16 * MIB,
  archiveBytes: 64 * MIB,
  /** Unpacked bytes per packed byte; only looked at above {@link LIMITS.archiveRatioFloor}. */
  archiveRatio: 200,
  archiveRatioFloor: 4 * MIB,
  /** What is told at most; what is wrong with ten thousand files is told by the first thousand. */
  diagnostics: 1000,
} as const;
