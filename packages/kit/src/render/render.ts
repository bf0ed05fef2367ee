import { checklist } from './checklist.ts';
import { code } from './code.ts';
import { diff } from './diff.ts';
import { kv } from './kv.ts';
import { section } from './section.ts';
import { table } from './table.ts';

/** Makes Markdown of data, for views and prompts. Any function that gives a string does as well. */
export const render = Object.freeze({ table, checklist, diff, code, kv, section });
