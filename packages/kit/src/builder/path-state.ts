/**
 * Which steps every path has passed, worked out while the steps are declared.
 *
 * P1. A step is certain unless a branch leads to it.
 * P2. A branch is a `next` with two or more targets that are not declared yet. `self`, a step declared before, a
 *     sub-skill and a topic are none: a loop and a way out leave one way forward.
 * P3. The target of a branch is certain again when a certain step has it as its only way forward, or when every other
 *     target of one branch of a certain step has.
 * P4. What only longer paths join again stays uncertain: it is safe to say so, and looking further costs time in every
 *     editor.
 *
 * P5. By P1 a second step on the way of a branch counts as certain. Its prompt is reached only on that way; a step after
 *     the ways have met should ask `ran()` before it reads it.
 *
 * Three unions hold what is known: `Sure`, the targets that are certain whatever branches lead to them; `Open`, the
 * targets of branches; `Branches`, the branches of certain steps whose targets may still meet, as `[targets not declared
 * yet, where the others went]`. All are about steps that are named and not declared yet, so they stay small however long
 * a skill grows.
 */

/** Whether every path passes the step `Name` that is declared now. */
export type IsCertain<Name, Sure, Open> = Name extends Sure ? true : Name extends Open ? false : true;

/** The targets among `Target` that are still to be declared. */
export type Forward<Target, Declared> = Target extends
  | Declared
  | 'self'
  | '__parent__'
  | `subskill:${string}`
  | `topic:${string}`
  ? never
  : string extends Target
    ? never
    : Target;

/** `Ahead` if there is one way forward only. */
export type OnlyWay<Ahead> = IsUnion<Ahead> extends true ? never : Ahead;

/** `Ahead` if there are several ways forward. */
export type Ways<Ahead> = IsUnion<Ahead> extends true ? Ahead : never;

/** The targets that are certain after `Name`, whose ways forward are `Ahead`. */
export type SureAfter<Name, Ahead, Sure, Open, Branches> =
  | Exclude<Sure, Name>
  | (IsCertain<Name, Sure, Open> extends true ? OnlyWay<Ahead> : MetIn<Branches, Name, OnlyWay<Ahead>>);

/** The branches that may still meet after `Name`. */
export type BranchesAfter<Name, Ahead, Sure, Open, Branches> =
  | Advanced<Branches, Name, OnlyWay<Ahead>>
  | ([Ways<Ahead>] extends [never]
      ? never
      : IsCertain<Name, Sure, Open> extends true
        ? readonly [Ahead, never]
        : never);

/** The branches that can still meet once `Name` is declared and goes to `Ahead` alone (`never`: to nowhere or to several). */
type Advanced<Branch, Name, Ahead> = Branch extends readonly [infer Left, infer Into]
  ? Name extends Left
    ? GoesAlong<Left, Into, Ahead> extends true
      ? [Exclude<Left, Name>] extends [Ahead]
        ? never
        : readonly [Exclude<Left, Name>, Ahead]
      : never
    : Branch
  : never;

/** `Ahead` if with `Name` the last other target of a branch has gone there. */
type MetIn<Branch, Name, Ahead> = Branch extends readonly [infer Left, infer Into]
  ? Name extends Left
    ? GoesAlong<Left, Into, Ahead> extends true
      ? [Exclude<Left, Name>] extends [Ahead]
        ? Ahead
        : never
      : never
    : never
  : never;

type GoesAlong<Left, Into, Ahead> = [Ahead] extends [never]
  ? false
  : Ahead extends Left
    ? [Into] extends [Ahead]
      ? true
      : false
    : false;

type IsUnion<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? false : true) : never;
