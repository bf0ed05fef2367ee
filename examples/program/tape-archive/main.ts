/** Prepares interviews for an archive: what its catalogue will say is checked against what was said. */
import { type Context, main } from '@skillyard/program';
import { z } from 'zod';

const description = z.strictObject({
  title: z.string().min(1).max(80),
  place: z.string().min(1),
  tells_of_others: z.boolean(),
});

main((ctx) => {
  const checked = ctx.runCommand('checksums', 'sha256sum --check --quiet checksums.txt', 30);
  ctx.require(checked.exit_code === 0, 'the transcripts are those that were signed off', checked);

  const catalogue = transcripts(ctx)
    .map((tape) => entryOf(ctx, tape))
    .filter(({ access }) => access !== 'withheld');
  const question = `Hand over ${catalogue.length} interviews to the archive?`;
  const signed = ctx.askUser('sign', question, [{ value: 'yes' }, { value: 'no', label: 'Not like this' }]);
  if (signed === 'no') ctx.refused('whoever keeps the tapes does not hand them over');
  return { catalogue };
});

/** The names of the transcripts. Only names of this form get into the commands below. */
function transcripts(ctx: Context): string[] {
  const listed = ctx.runCommand('transcripts', 'ls transcripts', 10);
  const names = [...listed.stdout.matchAll(/^(tape-\d{2})\.txt$/gm)].map(([, name = '']) => name);
  if (names.length === 0) ctx.blocked('there is no transcript in the box');
  return names;
}

/** What the catalogue says of one interview, and who may read it. */
function entryOf(ctx: Context, tape: string) {
  const { stdout: transcript } = ctx.runCommand(`read-${tape}`, `cat transcripts/${tape}.txt`, 10);
  if (transcript.trim() === '') ctx.blocked(`${tape} is empty: somebody has to listen to it`);
  const { title, place, tells_of_others } = ctx.agentTask(
    `describe-${tape}`,
    'Describe this interview for a catalogue. The place is the one where it was recorded.',
    { transcript },
    description,
  );
  ctx.require(transcript.includes(place), `the place of ${tape} stands in its transcript`, {
    place,
    transcript,
  });
  return { tape, title, place, access: tells_of_others ? accessTo(ctx, tape, title) : 'open' };
}

/** Somebody who was not asked is spoken of: a person decides who may read it. */
function accessTo(ctx: Context, tape: string, title: string): string {
  return ctx.askUser(`access-${tape}`, `"${title}" tells of somebody who was not asked. Who may read it?`, [
    { value: 'open', label: 'Everybody' },
    { value: 'closed', label: 'Nobody for thirty years' },
    { value: 'withheld', label: 'It stays here' },
  ]);
}
