/**
 * The store as the callbacks of one step see it. TypeScript works out the members of an interface when somebody asks for
 * one: a callback that does not look at the store costs nothing.
 */
import type { StepRecord } from '../definition/skill-definition.ts';
import type { AnyState } from './builder-state.ts';
import type { AnyEntry, Entry } from './entry.ts';

// Whether anything is known is asked of the names, which cost nothing to look at; entries would be gone through each time.

/** The store in a prompt and in `save`: what every path has passed is there. */
export type StrictView<At extends AnyState> = unknown extends At['declared']
  ? UntypedStore
  : [keyof At['stores']] extends [never]
    ? StepsOnly<At['always'], At['maybe']>
    : StepsOnly<At['always'], At['maybe']> & SubStores<At['stores'], At['written']>;

/** The store elsewhere, where nothing is taken for certain. */
export type LooseView<At extends AnyState> = unknown extends At['declared']
  ? UntypedStore
  : [keyof At['stores']] extends [never]
    ? StepsOnly<never, At['always'] | At['maybe']>
    : StepsOnly<never, At['always'] | At['maybe']> & SubStores<At['stores'], never>;

/** The store of a step that is written outside of a skill: nobody knows what will be in it. */
interface UntypedStore {
  readonly steps: {
    // oxlint-disable-next-line typescript/no-explicit-any -- what is not known here is the business of the skill that uses it
    all(step: string): readonly any[];
    ran(step: string): boolean;
    readonly history: readonly StepRecord[];
    // oxlint-disable-next-line typescript/no-explicit-any -- see above
    readonly [step: string]: any;
  };
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly [subStore: string]: any;
}

interface StepsOnly<Always extends AnyEntry, Maybe extends AnyEntry> {
  readonly steps: StepQueries<Always | Maybe> & Certain<Always> & Uncertain<Maybe>;
}

type Certain<Steps extends AnyEntry> = { readonly [Step in Steps as Step['name']]: Step['result'] };
type Uncertain<Steps extends AnyEntry> = { readonly [Step in Steps as Step['name']]?: Step['result'] };

/** What can be asked about steps beside their results. */
interface StepQueries<Steps extends AnyEntry> {
  /** The results of every visit of a step, oldest first. */
  all<Name extends Steps['name']>(step: Name): readonly Extract<Steps, Entry<Name, unknown>>['result'][];
  ran(step: Steps['name']): boolean;
  readonly history: readonly StepRecord[];
}

/** @typeParam Written what is certainly written, each as a tuple of one */
type SubStores<Stores, Written> = {
  readonly [Name in keyof Stores as Name extends SureKeys<Written> ? Name : never]: Narrowed<
    Stores[Name],
    WritesAt<Written, Name>
  >;
} & {
  readonly [Name in keyof Stores as Name extends SureKeys<Written> ? never : Name]?: DeepReadonlyPartial<
    Stores[Name]
  >;
};

/** A sub-store of which the parts in `Written` are certainly there. */
type Narrowed<Store, Written> = Store extends Leaf
  ? Store
  : {
      readonly [Key in keyof Store as Key extends SureKeys<Written> ? Key : never]-?: Narrowed<
        Exclude<Store[Key], undefined>,
        WritesAt<Written, Key>
      >;
    } & {
      readonly [Key in keyof Store as Key extends SureKeys<Written> ? never : Key]?: DeepReadonlyPartial<
        Store[Key]
      >;
    };

/** The keys that at least one of the writes certainly has. */
type SureKeys<Written> = Written extends readonly [infer Value] ? PresentKeys<Value, keyof Value> : never;

// `Value` as a whole: what only one of several return values of `save` has is not certain.
type PresentKeys<Value, Key> = Key extends keyof Value ? (undefined extends Value[Key] ? never : Key) : never;

type WritesAt<Written, Key> = Written extends readonly [infer Value]
  ? Key extends PresentKeys<Value, keyof Value>
    ? readonly [Value[Key & keyof Value]]
    : never
  : never;

type Leaf =
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | undefined
  | Date
  | readonly unknown[]
  | ((...args: never[]) => unknown);

/** Every part may be missing, at any depth; lists and dates are one part. */
export type DeepPartial<T> = T extends Leaf
  ? T
  : unknown extends T
    ? T
    : { [Key in keyof T]?: DeepPartial<T[Key]> };

type DeepReadonlyPartial<T> = T extends Leaf
  ? T
  : unknown extends T
    ? T
    : { readonly [Key in keyof T]?: DeepReadonlyPartial<T[Key]> };
