/**
 * The digest of the sources of a skill: what a run is bound to.
 * @returns `sha256:` and lower-case hex
 * @throws ProgramError NOT_FOUND when there is no such folder
 */
export async function skillDigest(folder: string): Promise<string> {
  throw new Error(`not yet: ${folder}`);
}
