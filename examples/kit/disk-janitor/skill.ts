/**
 * Tidies a folder: code looks, a model judges, a person agrees, code acts, a model reports. Whoever answers, the model
 * never touches a file: what may be moved is decided by the schema, the question and the action.
 */
import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { act, action, prompt, render, skill, terminal, type, view } from '@skillyard/kit';

const look = action({
  name: 'look',
  input: type({ folder: 'string' }),
  output: type({ files: type({ name: 'string', bytes: 'number' }).array() }),
  effect: 'read',
  run: async ({ input }) => {
    const entries = await readdir(input.folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    const files = names
      .toSorted()
      .map(async (name) => ({ name, bytes: (await stat(join(input.folder, name))).size }));
    return { files: await Promise.all(files) };
  },
});

const setAside = action({
  name: 'set-aside',
  input: type({ folder: 'string', names: 'string[]' }),
  output: type({ moved: 'string[]' }),
  run: async ({ input }) => {
    const aside = join(input.folder, 'set-aside');
    await mkdir(aside, { recursive: true });
    for (const name of input.names) await rename(join(input.folder, name), join(aside, basename(name)));
    return { moved: input.names };
  },
});

const Judgement = type({ name: 'string', verdict: "'keep' | 'aside'", why: 'string' });

export default skill({
  name: 'disk-janitor',
  version: '1.0.0',
  description: 'Finds what clutters a folder and sets it aside after somebody agreed. Nothing is deleted.',
  entry: 'look',
  params: type({ folder: 'string > 0' }),
  finalOutput: type({ summary: 'string' }),
  hosted: { limits: { generations: 6 }, askTimeoutMs: 24 * 60 * 60 * 1000 },
})
  .step('look', {
    action: { run: look, mapInput: ({ params }) => ({ folder: params.folder }) },
    next: 'diagnose',
  })
  .step('diagnose', {
    prompt: ({ store }) => [
      view('files', render.table(store.steps.look.files)),
      prompt`
        Which of these files look left over: logs, copies, half-finished downloads? Judge every file, and say why.
        When in doubt, keep.
      `,
    ],
    response: type({ judgements: Judgement.array() }),
    save: ({ response, store }) => ({
      step: {
        judgements: response.judgements,
        aside: namesAside(response.judgements, store.steps.look?.files ?? []),
      },
    }),
    next: ({ response }) =>
      response.judgements.some(({ verdict }) => verdict === 'aside') ? 'approve' : 'report',
  })
  .step('approve', {
    prompt: ({ store }) =>
      act.confirm({ message: `Set aside ${store.steps.diagnose.aside.join(', ')}?`, defaultAnswer: 'no' }),
    response: type({ approved: 'boolean' }),
    next: ({ response }) => (response.approved ? 'set-aside' : 'report'),
  })
  .step('set-aside', {
    action: {
      run: setAside,
      mapInput: ({ params, store }) => ({ folder: params.folder, names: store.steps.diagnose?.aside ?? [] }),
    },
    next: 'report',
  })
  .step('report', {
    prompt: ({ store }) => [
      view(
        'judgements',
        render.table(store.steps.diagnose.judgements, { columns: ['name', 'verdict', 'why'] }),
      ),
      view('moved', `Moved: ${store.steps['set-aside']?.moved.join(', ') ?? 'nothing'}`),
      prompt`Summarise in two sentences what was found and what was done.`,
    ],
    response: type({ summary: 'string' }),
    next: terminal,
  })
  .build();

/** Only files that are there: a model may name what it likes. */
function namesAside(
  judgements: readonly { name: string; verdict: string }[],
  files: readonly { name: string }[],
): string[] {
  const wanted = new Set(judgements.filter(({ verdict }) => verdict === 'aside').map(({ name }) => name));
  return files.map(({ name }) => name).filter((name) => wanted.has(name));
}
