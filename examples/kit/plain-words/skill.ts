/** Says a difficult text in plain words: a loop that ends, a schema that holds, a report that code writes. */
import { prompt, render, skill, terminal, type, view } from '@skillyard/kit';

const LONGEST_SENTENCE = 20;

export default skill({
  name: 'plain-words',
  version: '1.0.0',
  description: 'Rewrites a text in plain words, with short sentences. Use it for letters, notices and forms.',
  entry: 'rewrite',
  params: type({ text: 'string > 0', reader: 'string = "somebody in a hurry"' }),
  stores: { draft: type({ sentences: 'string[]' }) },
  hosted: { limits: { generations: 8 } },
})
  .step('rewrite', {
    prompt: ({ params, store }) => [
      prompt`
        Rewrite the text for ${params.reader}. One thought in a sentence, no sentence over ${LONGEST_SENTENCE} words.
      `,
      view('text', store.draft?.sentences?.join('\n') ?? params.text),
    ],
    response: type({ sentences: 'string[] >= 1' }),
    save: ({ response }) => ({ draft: { sentences: response.sentences } }),
    next: ({ response }) => (response.sentences.some(isLong) ? 'rewrite' : 'show'),
    maxVisits: 3,
    onMaxVisits: 'show',
  })
  .step('show', {
    prompt: ({ store }) => {
      const { sentences } = store.steps.rewrite;
      const rows = sentences.map((sentence) => ({ sentence, words: wordsOf(sentence) }));
      return [
        view('result', render.table(rows)),
        prompt`Show the table as it is. Then say in one sentence what was left out.`,
      ];
    },
    response: type({ leftOut: 'string' }),
    next: terminal,
  })
  .build();

function wordsOf(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => word !== '').length;
}

function isLong(sentence: string): boolean {
  return wordsOf(sentence) > LONGEST_SENTENCE;
}
