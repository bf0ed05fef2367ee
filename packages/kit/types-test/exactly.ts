type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/**
 * Compiles only if the value has exactly the type that is written. Every call is one assertion of the suite.
 * @returns a string, so that it can stand in a prompt
 */
export declare function exactly<Expected>(): <Actual>(
  value: Actual,
  ...different: Same<Actual, Expected> extends true ? [] : [never]
) => string;
