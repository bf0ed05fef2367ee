import type { SkillyardError } from '@skillyard/contracts';
import { unavailable, unavailableNow } from './asset-failure.ts';
import type { GitRemote } from './git-remote.ts';

const LONGEST_REASON = 300;
const MOST_LINES = 2;

const NO_SUCH_REF = /couldn't find remote ref|Remote branch .* not found/i;
const REFUSED =
  /Authentication failed|could not read (Username|Password)|Permission denied|returned error: (401|403)|Host key verification failed/i;
const NO_REPOSITORY = /does not appear to be a git repository|repository .*not found|returned error: 404/i;
const TRANSIENT =
  /Could not resolve host|Failed to connect|Couldn't connect|Connection (refused|reset|timed out|closed)|timed out|early EOF|hung up|RPC failed|Empty reply|too slow|returned error: (408|429|5\d\d)|Recv failure|unexpected disconnect/i;
const CACHE_TROUBLE =
  /\.lock'?: File exists|could not lock|cannot lock ref|Unable to create '.*\.lock'|shallow file has changed|not a git repository: |bad object|object file .* is empty|is corrupt|unable to read (tree|sha1)/i;

/** Whether git failed over our copy of the repository: another process is writing it, or one died while it did. */
export function isCacheTrouble(stderr: string): boolean {
  return CACHE_TROUBLE.test(stderr);
}

/** Why a repository could not be fetched from, by what git wrote. */
export function fetchFailure(
  { project, where, refPrefix }: GitRemote,
  branch: string,
  stderr: string,
): SkillyardError {
  const reason = wordsOf(stderr);
  if (NO_SUCH_REF.test(stderr)) {
    return unavailable(
      `the repository "${project}" (${where}) has no "${branch}" under ${refPrefix}. Check the branch in the ref.`,
    );
  }
  if (REFUSED.test(stderr)) {
    return unavailable(
      `the repository "${project}" (${where}) is refused to us: ${reason}. Check assets.git.${project}.token_env, or the key that ssh uses.`,
    );
  }
  if (NO_REPOSITORY.test(stderr)) {
    return unavailable(
      `there is no repository "${project}" at ${where}: ${reason}. Check assets.git.${project}.url.`,
    );
  }
  const message = `the repository "${project}" (${where}) cannot be fetched from: ${reason}.`;
  return TRANSIENT.test(stderr) ? unavailableNow(message) : unavailable(message);
}

/** The lines of git that say why, without what they all begin with. */
function wordsOf(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.replace(/^(fatal|error): /, '').trim())
    .filter((line) => line !== '' && !/^(warning|hint): |^Please make sure|^and the repository/.test(line));
  const reason = lines.slice(0, MOST_LINES).join('; ').slice(0, LONGEST_REASON);
  return reason === '' ? 'git gave no reason' : reason.replace(/[.\s]+$/, '');
}
