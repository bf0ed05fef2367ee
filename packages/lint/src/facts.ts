import type { JsonObject } from '@skillyard/contracts';

/**
 * What is known of an installation. A fact that is absent is unknown, and so is an empty one, except an empty
 * `writeServers`: a rule that needs it says that it did not run.
 */
export interface Facts {
  /** Every tool server there is. */
  readonly serverNames?: readonly string[] | undefined;
  /** The tools of each server. */
  readonly allTools?: Readonly<Record<string, readonly string[]>> | undefined;
  /** `server:tool` to the JSON Schema of its arguments. */
  readonly toolSchemas?: Readonly<Record<string, JsonObject>> | undefined;
  /** Every built-in tool there is. */
  readonly builtinTools?: readonly string[] | undefined;
  /** The servers that change something. */
  readonly writeServers?: readonly string[] | undefined;
  /** Every skill that may be delegated to. */
  readonly skillNames?: readonly string[] | undefined;
}
