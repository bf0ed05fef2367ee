/** One page of the handbook: a class of failures, and the form that avoids it. */
export interface HandbookPage {
  /** The name of its file, and the word that lint rules point here with. */
  readonly topic: string;
  readonly title: string;
  /** Markdown. Its links are those of `docs/handbook`. */
  readonly text: string;
}
