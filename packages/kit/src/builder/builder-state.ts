import type { BranchesAfter, IsCertain, OnlyWay, SureAfter, Ways } from './path-state.ts';
import type { AnyEntry, Entry } from './entry.ts';

/**
 * What the types know of a skill or a module while it is written. Three things keep long skills fast, each measured by
 * `npm run bench -- kit-types`:
 *
 * - The parts are parameters of an interface and no members of an object type: TypeScript works parameters out at once,
 *   while members would wait for each other and make a long skill too deep to follow.
 * - Methods take the state from `this` and read its parts by name. Written with the parameters of the class, every step
 *   would have all steps before it substituted again, several times.
 * - A union gets no alias on its way: TypeScript remembers of what aliases a union was made, in ever deeper layers.
 */
export interface BuilderState<Params, Stores, Declared, Always, Maybe, Sure, Open, Branches, Written> {
  readonly params: Params;
  /** Outputs of the sub-stores, by name. */
  readonly stores: Stores;
  /** Names of all steps so far. */
  readonly declared: Declared;
  /** The steps that every path has passed, as entries. */
  readonly always: Always;
  /** The other steps, as entries. */
  readonly maybe: Maybe;
  /** These three: see `path-state.ts`. */
  readonly sure: Sure;
  readonly open: Open;
  readonly branches: Branches;
  /** What certain steps have saved into sub-stores, each as a tuple of one. */
  readonly written: Written;
}

// `any` is related to everything without a look at it; with bounds in its place every step would be compared again.
// oxlint-disable-next-line typescript/no-explicit-any
type Any = any;

export type AnyState = BuilderState<Any, Any, Any, Any, Any, Any, Any, Any, Any>;

/** The state before the first step. */
export type FreshState<Params, Stores> = BuilderState<
  Params,
  Stores,
  never,
  never,
  never,
  never,
  never,
  never,
  never
>;

/**
 * The state after a step.
 * @typeParam Ahead its targets that are still to be declared
 */
export type AfterStep<At extends AnyState, Name extends string, Ahead, Result, Saved> = BuilderState<
  At['params'],
  At['stores'],
  At['declared'] | Name,
  IsCertain<Name, At['sure'], At['open']> extends true
    ? Without<At['always'], Name, At['declared']> | Entry<Name, Result>
    : At['always'],
  IsCertain<Name, At['sure'], At['open']> extends true
    ? At['maybe']
    : Without<At['maybe'], Name, At['declared']> | Entry<Name, Result>,
  SureAfter<Name, Ahead, At['sure'], At['open'], At['branches']>,
  Exclude<At['open'], Name> | Ways<Ahead>,
  BranchesAfter<Name, Ahead, At['sure'], At['open'], At['branches']>,
  IsCertain<Name, At['sure'], At['open']> extends true
    ? At['written'] | SubStoreWrites<Saved, At['stores']>
    : At['written']
>;

/** The state after a reused step: it may be what a branch has led to, its own branches are not looked at. */
export type AfterExtended<At extends AnyState, Name extends string, Ahead, Result, Saved> = AfterStep<
  At,
  Name,
  OnlyWay<Ahead>,
  Result,
  Saved
>;

/** The state after the steps of a module. Whoever wrote it could not know what leads there: they are all optional. */
export type AfterModule<At extends AnyState, Steps extends AnyEntry> = BuilderState<
  At['params'],
  At['stores'],
  At['declared'] | Steps['name'],
  At['always'],
  At['maybe'] | Steps,
  At['sure'],
  At['open'],
  At['branches'],
  At['written']
>;

/** A step that is declared again replaces the one before. */
type Without<Entries, Name, Declared> = Name extends Declared
  ? Exclude<Entries, { readonly name: Name }>
  : Entries;

type SubStoreWrites<Saved, Stores> = [keyof Stores & keyof Saved] extends [never] ? never : readonly [Saved];
