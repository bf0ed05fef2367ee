/** A heading and what stands under it. */
export function section(title: string, body: string): string {
  return `## ${title}\n\n${body}`;
}
