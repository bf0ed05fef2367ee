/** What there is to know of a kind of primitive, in one object a kind. */
export interface PrimitiveKind<Config> {
  /** Without brackets, as in `ask-user`. */
  readonly tag: string;
  /** Tools of known hosts that can carry it out; the first that a host has is taken. */
  readonly tools: readonly string[];
  /**
   * Absent: every config can be carried out.
   * @throws KitError SKILL_DEFINITION_INVALID
   */
  readonly check?: (config: Config) => void;
  /** @param skillName the skill whose prompt it stands in */
  readonly render: (config: Config, skillName: string) => string;
  /** The instruction of the preamble. @param tool the tool of the host; null when it has none */
  readonly howToUse: (tool: string | null) => string;
}
