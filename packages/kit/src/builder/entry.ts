/**
 * A step that is declared, with what `store.steps.<name>` gives for it. A skill is the union of these: adding to a union
 * of references is cheap, while an intersection of objects is gone through again with every further step.
 */
export interface Entry<Name extends string, Result> {
  readonly name: Name;
  readonly result: Result;
}

export type AnyEntry = Entry<string, unknown>;
