import type { ViewSegment } from '../definition/prompt-piece.ts';

type Content = string | readonly string[];

/** Text that code has rendered and that is shown as it is; several are set apart by blank lines. */
export function view(content: Content): ViewSegment;
/** @param label what other parts of the prompt call it */
export function view(label: string, content: Content): ViewSegment;
export function view(labelOrContent: Content, content?: Content): ViewSegment {
  if (content === undefined) {
    return Object.freeze({ kind: 'view', text: textOf(labelOrContent) });
  }
  return Object.freeze({ kind: 'view', label: textOf(labelOrContent), text: textOf(content) });
}

function textOf(content: Content): string {
  return typeof content === 'string' ? content : content.join('\n\n');
}
