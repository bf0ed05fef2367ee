/** `project@branch:path`, taken apart. */
export interface GitRef {
  readonly project: string;
  readonly branch: string;
  readonly path: string;
}

/**
 * Takes a ref apart and refuses what git might read as something else than a branch and a path.
 * @returns the ref, or what is wrong with it
 */
export function parseGitRef(ref: string): GitRef | { readonly problem: string } {
  const match = /^([^@:]+)@([^:]+):(.+)$/s.exec(ref);
  if (match === null) return { problem: 'it is not of the form project@branch:path' };
  const [, project = '', branch = '', path = ''] = match;
  const problem = refNameProblem(branch) ?? pathProblem(path);
  return problem === undefined ? { project, branch, path } : { problem };
}

/** What git forbids in the name of a branch (git-check-ref-format), and a dash at its beginning. */
function refNameProblem(name: string): string | undefined {
  if (name.startsWith('-')) return 'its branch begins with a dash';
  if (hasControls(name) || /[ ~^:?*[\\]/.test(name)) return 'its branch holds a character that none may hold';
  if (name.includes('..') || name.includes('@{') || name === '@')
    return 'its branch holds `..` or `@{`, which no branch may';
  const parts = name.replace(/\/$/, '').split('/');
  const broken = parts.some(
    (part) => part === '' || part.startsWith('.') || part.endsWith('.') || part.endsWith('.lock'),
  );
  return broken ? 'its branch is no name of a branch' : undefined;
}

function pathProblem(path: string): string | undefined {
  if (path.startsWith('-')) return 'its path begins with a dash';
  if (hasControls(path)) return 'its path holds a control character';
  if (path.startsWith('/')) return 'its path begins with a slash; write it from the top of the repository';
  const parts = path.split('/');
  if (parts.includes('..') || parts.includes('.') || parts.includes(''))
    return 'its path holds `.`, `..` or an empty part';
  return undefined;
}

const hasControls = (text: string): boolean => /\p{Cc}/u.test(text);
