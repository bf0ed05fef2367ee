export type { Facts } from './facts.ts';
export type { Finding, Severity } from './finding.ts';
export type { AssetVocabulary, Envelope, LintOptions, StaleApi } from './lint-options.ts';
export { type LintInput, type LintReport, lintSkill } from './lint-skill.ts';
export type { RuleInfo } from './rule-info.ts';
export { type RuleId, RULES } from './rules.ts';
export { type SarifLog, toSarif } from './sarif.ts';
