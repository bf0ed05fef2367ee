import type { Vocabulary } from '@skillyard/contracts';

/** What is known of a value held in working memory. */
export type MemoryAnswer =
  | { readonly found: true; readonly text: string }
  | {
      readonly found: false;
      /** Set when the value was there and can no longer be read: the step that needed it is degraded. */
      readonly gone?: string;
      /** Set when the value is there and the path inside it leads nowhere: what was found instead. */
      readonly miss?: string;
    };

/**
 * What flow functions may look at while they evaluate a step.
 *
 * A lookup that returns undefined has noted a need: the value must come from outside first. The function goes on as if
 * the text were empty, so that one pass notes every need; the caller then throws its result away, asks for what is
 * needed and evaluates again. Evaluation is pure, so that costs nothing but time.
 */
export interface Environment {
  readonly vocabulary: Vocabulary;
  /** The stored text of a variable, notes included; undefined when nothing wrote it. */
  variable(name: string): string | undefined;
  /** The text of an asset: empty when it cannot be had; undefined when it has not been asked for. */
  asset(name: string): string | undefined;
  /**
   * The whole value behind a handle, or with `at` (`.rows[2].id`) the text of what lies at that path inside it.
   * undefined when it has not been asked for.
   */
  memory(handle: string, at: string): MemoryAnswer | undefined;
}
