/**
 * Texts with `{{variable}}` and `{{asset:name}}` in them (spec section 3).
 *
 * One pass replaces both, and nothing that was put in is expanded again. What is in braces and is neither stays text.
 */
import { bounded } from './bounds.ts';
import type { Environment } from './environment.ts';
import { isNameCode, nameEnd } from './path.ts';
import { readWholeReference } from './payload.ts';
import { lookUp, type Reference, scanReference } from './reference.ts';
import { grammarBlankEnd } from './white-space.ts';

/** A piece of a template: text as it is, a reference, or an asset whose text is put in. */
type TemplatePart = string | { readonly ref: Reference } | { readonly asset: string };

/** A parsed text. Joining its parts as they are written gives `source` again, but for blanks inside braces. */
export interface Template {
  readonly source: string;
  readonly parts: readonly TemplatePart[];
}

/** A template with its values put in. */
export interface Expanded {
  readonly text: string;
  /** Form `whole`: the first reference whose whole value could not be read; empty when all could. */
  readonly unreachable: string;
  /** Why a value that was there can no longer be read; empty when there was none. */
  readonly gone: string;
}

const ASSET = 'asset:';

/** Parses a text once, in one pass. Every text is a template, so this cannot fail. */
export function parseTemplate(text: string): Template {
  const parts: TemplatePart[] = [];
  let done = 0;
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', at)) {
    const hole = scanHole(text, at + 2);
    if (hole === undefined) {
      // Not past both braces: in `{{{x}}}` the second and third open one.
      at++;
      continue;
    }
    if (at > done) parts.push(text.slice(done, at));
    parts.push(hole.part);
    done = hole.end;
    at = hole.end;
  }
  if (done < text.length) parts.push(text.slice(done));
  return { source: text, parts };
}

/**
 * Puts the values in.
 * @param form `model`: stored texts with their notes, for those who may ask for more.
 *   `whole`: whole values without notes, for a model without tools (spec section 6)
 * @throws SkillyardError VALUE_TOO_LARGE, and REFERENCE_UNRESOLVED for the first reference that leads nowhere where that is an error
 */
export function expandTemplate(template: Template, env: Environment, form: 'model' | 'whole'): Expanded {
  let text = '';
  let unreachable = '';
  let gone = '';
  for (const part of template.parts) {
    if (typeof part === 'string') {
      text += part;
    } else if ('asset' in part) {
      text += env.asset(part.asset) ?? '';
    } else if (form === 'model') {
      const met = lookUp(part.ref, env);
      text += met.text;
      gone ||= met.gone;
    } else {
      const whole = readWholeReference(part.ref, env);
      text += whole.text;
      gone ||= whole.gone;
      if (whole.unread !== '') unreachable ||= part.ref.text;
    }
  }
  return { text: bounded(text), unreachable, gone };
}

/** The assets a text names, in order, as often as it names them. */
export function assetRefs(text: string): string[] {
  return parseTemplate(text).parts.flatMap((part) =>
    typeof part !== 'string' && 'asset' in part ? [part.asset] : [],
  );
}

/** Reads what may stand between braces, and the closing ones. */
function scanHole(
  text: string,
  from: number,
): { readonly part: TemplatePart; readonly end: number } | undefined {
  const start = grammarBlankEnd(text, from);
  const assetNameEnd = scanAsset(text, start);
  const ref = assetNameEnd < 0 ? scanReference(text, start) : undefined;
  if (assetNameEnd < 0 && ref === undefined) return undefined;
  const last = ref === undefined ? assetNameEnd : start + ref.text.length;
  const close = grammarBlankEnd(text, last);
  if (!text.startsWith('}}', close)) return undefined;
  return {
    part: ref === undefined ? { asset: text.slice(start + ASSET.length, last) } : { ref },
    end: close + 2,
  };
}

/** The end of `asset:name`, or -1. A name is ASCII, starts as a variable's does and may hold dashes. */
function scanAsset(text: string, from: number): number {
  if (!text.startsWith(ASSET, from)) return -1;
  const start = from + ASSET.length;
  let end = nameEnd(text, start);
  if (end === start) return -1;
  while (text[end] === '-' || isNameCode(text.charCodeAt(end))) end++;
  return end;
}
