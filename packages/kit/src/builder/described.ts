/**
 * The description with the words that make an agent think of the skill behind it.
 * @returns undefined when there is neither
 */
export function described(
  description: string | undefined,
  triggers: readonly string[] | undefined,
): string | undefined {
  if (triggers === undefined || triggers.length === 0) return description;
  const keywords = `Trigger keywords: ${triggers.join(', ')}`;
  if (description === undefined || description === '') return keywords;
  return `${description}${description.endsWith('.') ? ' ' : '. '}${keywords}`;
}
