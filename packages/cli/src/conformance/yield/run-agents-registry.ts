import { callProgram } from './call-program.ts';
import { judge, type RunRecording } from './yield-folder.ts';

interface AgentsRegistry {
  /** id, name, folder of its skills, tier */
  readonly agents: readonly (readonly [id: string, name: string, folder: string, tier: string])[];
}

/** A row of the verb `agents`: columns are two blanks apart at least, but names may have a blank in them. */
const ROW = /^(\S+)\s+(\S.*?)\s+(verified|registry)\s+\S.* · (\S+)$/;

/** Agents that skills can be registered with: each of them, and no other. */
export const runAgentsRegistry: RunRecording = async (recording, name, { workspace }) => {
  const { stdout } = await callProgram(['agents'], { cwd: await workspace.folder() });
  const rows = new Map<string, readonly string[]>();
  for (const line of stdout.trimEnd().split('\n')) {
    const [, id = line, shown = '', tier = '', folder = ''] = ROW.exec(line) ?? [];
    rows.set(id, [id, shown, folder, tier]);
  }
  const { agents } = recording as AgentsRegistry;
  const each = agents.map((agent) =>
    judge({ name, entry: agent[0], title: agent[1] }, agent, rows.get(agent[0])),
  );
  const ids = agents.map(([id]) => id).toSorted();
  return [...each, judge({ name, entry: 'all', title: 'which there are' }, ids, [...rows.keys()].toSorted())];
};
