/** One line an item, with a mark for what is done. */
export function checklist(items: readonly { readonly text: string; readonly done: boolean }[]): string {
  return items.map((item) => `${item.done ? '✅' : '☐'} ${item.text}`).join('\n');
}
