import type { CodeRef } from '@skillyard/contracts';
import { checkLimits } from './check-limits.ts';
import { offsetOf } from './messages.ts';
import { quoted } from './quoted.ts';
import type { Report } from './report.ts';
import type { CODE, RawSkill } from './shapes.ts';

const REBUILD =
  'Files with `code` are written by a build: build the skill again and leave the file as it is.';

/** Checks what a file says of its code: which runtime runs it, where it is, and its hash. */
export function checkCode(code: RawSkill['code'], report: Report): void {
  if (code === null) return;
  const refuse = (key: keyof typeof CODE, what: string): void =>
    report.add({
      code: 'CODE_INVALID',
      message: `\`code.${key}\` ${what}.`,
      hint: REBUILD,
      offset: offsetOf(code, key),
    });
  if (!isRuntime(code.runtime))
    refuse('runtime', `is ${quoted(code.runtime)}, and only "kit" and "program" are known`);
  if (!isInside(code.file))
    refuse('file', `is ${quoted(code.file)}, which is no path below the folder of the file`);
  if (!/^[0-9a-f]{64}$/.test(code.sha256)) refuse('sha256', 'is no SHA-256 in small hexadecimal digits');
  checkLimits(code.limits, 'code.limits', report);
}

/** Whether a name is that of something that can run the code of a skill. */
export function isRuntime(name: string): name is CodeRef['runtime'] {
  return name === 'kit' || name === 'program';
}

function isInside(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !path.includes('\\') && !path.split('/').includes('..');
}
