import { stat } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { RULES, type SarifLog, toSarif } from '@skillyard/lint';
import { VERSION } from '../version.ts';
import type { LintRun } from './print-run.ts';

/** The pages of the rules, where they are beside the command. */
const DOCS = new URL('../../../../docs/lint/', import.meta.url);

/** A run as a SARIF log whose names of files start at the working directory. */
export async function sarifOf(run: LintRun, cwd: string): Promise<SarifLog> {
  const hasDocs = await stat(fileURLToPath(DOCS)).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const problems = run.files.flatMap(({ file, problem }) =>
    problem === undefined ? [] : [{ ...problem, severity: 'error' as const, file }],
  );
  const unreached = run.unreached.map(({ code, server, message }) => ({
    code,
    severity: 'warning' as const,
    message: `linted without the tools of ${server}: ${message}`,
  }));
  return toSarif({
    version: VERSION,
    rules: RULES,
    findings: run.files.flatMap(({ findings }) => findings),
    notices: [...problems, ...unreached],
    baseUri: pathToFileURL(`${cwd}/`).href,
    ...(hasDocs && { docsUri: DOCS.href }),
  });
}
