/** A server that wraps the results of its tools. */
export interface Envelope {
  readonly server: string;
  /** The fields of the wrapping, the payload among them. */
  readonly fields: readonly string[];
  /** The field that holds what the tool was called for. */
  readonly payload: string;
}

/** Something that playbooks may no longer call. */
export interface StaleApi {
  /** A regular expression, matched against playbooks. */
  readonly pattern: string;
  readonly what: string;
  readonly instead: string;
}

/** What an application calls things in the assets of its skills. */
export interface AssetVocabulary {
  /** Kinds that are programs. */
  readonly codeKinds?: readonly string[] | undefined;
  /** Kinds that are for a model to read. */
  readonly referenceKinds?: readonly string[] | undefined;
  /** Params that something reads. */
  readonly knownParams?: readonly string[] | undefined;
  /** The param that names the language of a program. */
  readonly langParam?: string | undefined;
}

/**
 * How skills are written in an application: the words that the rules cannot know. A rule without its words says that it
 * did not run, except E3 and W8, which are silent.
 */
export interface LintOptions {
  /** Longest playbook in UTF-8 bytes. 0 means 12288, a negative number none. */
  readonly playbookBudget?: number | undefined;
  /** The word that playbooks and instructions write a tool call with, as in `use_tool(server="s", tool="t")`. */
  readonly callProtocol?: string | undefined;
  readonly envelopes?: readonly Envelope[] | undefined;
  readonly assets?: AssetVocabulary | undefined;
  readonly staleApis?: readonly StaleApi[] | undefined;
  /** Roles that may not reach a server that writes. */
  readonly readOnlyRoles?: readonly string[] | undefined;
  /** Built-in tools that a playbook has without declaring them. */
  readonly implicitBuiltins?: readonly string[] | undefined;
  /** Words that allow a field to stay empty. */
  readonly emptyWords?: readonly string[] | undefined;
  /** Parts of the names of fields that take free text. */
  readonly freeTextFields?: readonly string[] | undefined;
  /** Variables that the application gives a turn. */
  readonly hostVars?: readonly string[] | undefined;
}
