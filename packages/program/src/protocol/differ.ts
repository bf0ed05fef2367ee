/**
 * The first place where two requests differ, in words.
 * @param recorded the compact text that stands in the journal
 * @param now the compact text that the program came to this time
 */
export function whereTheyDiffer(_recorded: string, _now: string): string {
  return '';
}
