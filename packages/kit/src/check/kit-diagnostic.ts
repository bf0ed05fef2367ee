/** A finding of `checkSkill`. Errors keep a skill from being built; warnings are said. */
export interface KitDiagnostic {
  readonly rule: KitRule;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** The step it is about, by its own name within its skill. */
  readonly step?: string;
  /** The file it is about, seen from the folder of the skill. */
  readonly file?: string;
}

export type KitRule =
  | 'cycle-guard'
  | 'dead-target'
  | 'unreachable-step'
  | 'no-json-schema'
  | 'no-host-tool-names'
  | 'host-branching-density'
  | 'primitive-schema-mismatch'
  | 'orphan-references'
  | 'reference-size'
  | 'unknown-tool-names'
  | 'composite-step-name';
