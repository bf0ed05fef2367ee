import { analyseCycles } from '@skillyard/kit/test';
import type { CaseResult } from '../run-case.ts';
import { judge, type KitFolder } from './kit-folder.ts';

type RecordedStep = Omit<GraphStep, 'next'> & { readonly next: GraphStep['next'] };
type GraphStep = Parameters<typeof analyseCycles>[0][string];

interface RecordedGraph {
  readonly label: string;
  readonly graph: Readonly<Record<string, RecordedStep>>;
  readonly stepsInCycles?: readonly string[];
  readonly defaultMaxVisits?: number;
  readonly throws?: string;
  readonly quoted?: readonly string[];
}

/** Runs the recorded graphs: which of their steps lie on a cycle. */
export async function runCycleGuard(
  recording: unknown,
  name: string,
  folder: KitFolder,
): Promise<CaseResult[]> {
  return (recording as readonly RecordedGraph[]).map((recorded) => {
    const { label, graph, throws, quoted = [] } = recorded;
    const entry = { name, entry: label, title: label, tags: folder.tags.of(name, label) };
    const expected =
      throws === undefined
        ? {
            stepsInCycles: (recorded.stepsInCycles ?? []).toSorted(),
            defaultMaxVisits: recorded.defaultMaxVisits,
          }
        : { throws, message: { $kit_error: '', mentions: quoted } };
    const actual = outcomeOf(graph);
    return judge(entry, { recorded: expected, actual });
  });
}

function outcomeOf(graph: RecordedGraph['graph']): unknown {
  const steps = Object.fromEntries(
    Object.entries(graph).map(([step, config]) => [
      step,
      (config.next as unknown) === '<function>' ? { ...config, next: () => step } : config,
    ]),
  );
  try {
    const { stepsInCycles, defaultMaxVisits } = analyseCycles(steps);
    // The order in which they are found is no part of what is found.
    return { stepsInCycles: stepsInCycles.toSorted(), defaultMaxVisits };
  } catch (error) {
    const { name, message } = error as Error;
    return { throws: name, message };
  }
}
