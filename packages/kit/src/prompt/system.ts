import type { SystemSegment, SystemTag } from '../definition/prompt-piece.ts';
import { resolveTemplate } from './resolve-template.ts';

/** Makes a system segment: as a template tag it takes away the indent, as a function it takes the text as it is. */
export const system: SystemTag = (
  text: string | TemplateStringsArray,
  ...values: readonly unknown[]
): SystemSegment =>
  Object.freeze({
    kind: 'system',
    text: typeof text === 'string' ? text : resolveTemplate(text, values),
  });
