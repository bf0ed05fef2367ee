import { type LintConfig, type LintFacts, SkillyardError } from '@skillyard/contracts';
import { type Finding, lintSkill } from '@skillyard/lint';
import { linterFacts, linterOptions } from '@skillyard/runtime';
import type { UnorderedPaths } from './match.ts';

/** The lists of a `lint` case that have no order. */
export const LINT_UNORDERED: UnorderedPaths = new Set(['findings']);

interface LintInput {
  readonly skill: string;
  readonly facts?: LintFacts;
  readonly options?: LintConfig;
}

/** Runs a `lint` case: what was found, or that the check itself could not run. */
export function lintCase({ skill, facts = {}, options = {} }: LintInput): unknown {
  // Nothing is given to a case but what it says itself.
  const own = { implicitBuiltins: options.implicit_builtins, hostVars: options.host_vars };
  try {
    const report = lintSkill(skill, {
      facts: linterFacts(facts),
      options: { ...linterOptions(options), ...own },
    });
    return { findings: report.findings.map(recorded), skipped: report.skipped.toSorted() };
  } catch (error) {
    if (!SkillyardError.is(error)) throw error;
    return { error: true };
  }
}

/** A finding as cases record it. */
function recorded({ rule, severity, step, line }: Finding): unknown {
  return {
    rule,
    severity: severity === 'warning' ? 'warn' : severity,
    line,
    ...(step !== undefined && { step }),
  };
}
