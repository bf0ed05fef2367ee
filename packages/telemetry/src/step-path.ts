/** Where a step stands among those around it. */
export interface StepPlace {
  /** The path of the step around it; null at the top of the flow. */
  readonly parent: string | null;
  readonly iteration?: number;
  readonly branch?: number;
}

/**
 * Reads the path of a step: `3.i42.0` is the first step of iteration 42 of the loop `3`, `2.b1.4` stands in branch 1 of
 * the fork `2`, `1.t.0` in what the condition `1` chose.
 */
export function placeOf(path: string): StepPlace {
  const around = path.split('.').slice(0, -1);
  const inside = around.pop();
  if (inside === undefined) return { parent: null };
  const parent = around.join('.');
  const index = Number(inside.slice(1));
  if (inside.startsWith('i')) return { parent, iteration: index };
  if (inside.startsWith('b')) return { parent, branch: index };
  return { parent };
}
