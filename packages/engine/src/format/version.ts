import { trimSpace } from '../flow/white-space.ts';
import { quoted } from './quoted.ts';

/** The version of the format that this engine speaks. */
export const FORMAT_VERSION = '2.5.0';

/** The oldest version that loads. Below it fields have other meanings, so the file must be migrated first. */
const OLDEST_VERSION = '2.0.0';

/** What a file without a version was written for (spec section 1). */
const LEGACY_VERSION = '1.0.0';

/** Major, minor and patch as digits without leading zeros, so that no length of number overflows. */
type Parts = readonly [string, string, string];

const VERSION = /^v?\+?([0-9]+)\.\+?([0-9]+)\.\+?([0-9]+)$/;

/** Exactly three numbers (spec section 1); outer blanks, one `v`, leading zeros and `+` signs are tolerated. */
function parseVersion(text: string): Parts | undefined {
  const match = VERSION.exec(trimSpace(text));
  if (match === null) return undefined;
  const [major, minor, patch] = match.slice(1).map((digits) => digits.replace(/^0+(?=[0-9])/, ''));
  return [major ?? '0', minor ?? '0', patch ?? '0'];
}

function compareParts(a: Parts, b: Parts): -1 | 0 | 1 {
  for (const [at, part] of a.entries()) {
    const other = b[at] ?? '0';
    if (part === other) continue;
    if (part.length !== other.length) return part.length < other.length ? -1 : 1;
    return part < other ? -1 : 1;
  }
  return 0;
}

/**
 * Compares two versions of one skill. An empty version is the oldest: a skill that declares none must not replace one
 * that does.
 * @returns undefined when one of the two is no version
 */
export function compareVersions(a: string, b: string): -1 | 0 | 1 | undefined {
  const left = parseVersion(trimSpace(a) === '' ? '0.0.0' : a);
  const right = parseVersion(trimSpace(b) === '' ? '0.0.0' : b);
  return left && right ? compareParts(left, right) : undefined;
}

/**
 * The major of a version as digits; of an empty one that of the files which declared none.
 * @returns undefined when it is no version
 */
export function declaredMajor(declared: string): string | undefined {
  return parseVersion(trimSpace(declared) === '' ? LEGACY_VERSION : declared)?.[0];
}

export type VersionCheck =
  | { readonly ok: true }
  | { readonly ok: false; readonly message: string; readonly hint: string };

/** How a file gets here from an older format. */
const MIGRATION =
  "For a file of format 1.x `skillyard migrate <file> --write` does what has to be done: an asset's `lang` goes under its `params`.";

/**
 * Says whether a file that declares this version loads (spec section 1): 2.0.0 up to our own version. A refusal is
 * better than a run under the wrong rules: a field this engine does not know would be dropped without a word.
 * @param declared `skill_engine_version` as written, empty when the file has none
 */
export function checkFormatVersion(declared: string): VersionCheck {
  const hint = `Write skill_engine_version: "${FORMAT_VERSION}".`;
  if (trimSpace(declared) === '') {
    return {
      ok: false,
      message: `\`skill_engine_version\` is missing, so the file counts as format ${LEGACY_VERSION}, which does not load.`,
      hint: `${hint} ${MIGRATION}`,
    };
  }
  if (parseVersion(declared) === undefined) {
    return {
      ok: false,
      message: `\`skill_engine_version\` is ${quoted(declared)}, which is no version.`,
      hint: `${hint} A version is three numbers with dots between them and nothing after them.`,
    };
  }
  if (compareVersions(declared, OLDEST_VERSION) === -1) {
    return {
      ok: false,
      message: `The file is written for format ${declared}, and formats before ${OLDEST_VERSION} do not load.`,
      hint: MIGRATION,
    };
  }
  if (compareVersions(declared, FORMAT_VERSION) === 1) {
    return {
      ok: false,
      message: `The file is written for format ${declared}, and this engine knows formats up to ${FORMAT_VERSION}.`,
      hint: `Update Skillyard, or declare ${FORMAT_VERSION} if the file uses nothing newer.`,
    };
  }
  return { ok: true };
}

/** The file loads, and declares a version from before 2.5.0. */
export function isBeforeAdditions(declared: string): boolean {
  return checkFormatVersion(declared).ok && compareVersions(declared, '2.5.0') === -1;
}
