import type { Question } from '@skillyard/contracts';
import { oneLine, type Terminal } from '../terminal/terminal.ts';

const MAX_LINE = 500;

/** A question as it is shown to a person, with what may be answered. */
export function questionLines(question: Question, { colors }: Pick<Terminal, 'colors'>): string[] {
  const { kind, text, header, options = [], multiSelect, destructive, steps = [] } = question;
  const title = header === undefined ? '' : `${oneLine(header, MAX_LINE)}: `;
  const lines = text.split('\n').map((line) => oneLine(line, MAX_LINE));
  const [first = '', ...rest] = lines;
  return [
    `${title}${first}`,
    ...rest,
    ...(destructive === true ? [colors.yellow('This cannot be undone.')] : []),
    ...steps.map((step, index) => `  ${index + 1}. ${oneLine(step, MAX_LINE)}`),
    ...options.map((option, index) => `  ${index + 1}. ${optionLine(option)}`),
    ...(multiSelect === true ? [colors.dim('Several may be chosen, with commas between.')] : []),
    ...(kind === 'plan' ? [colors.dim('yes, no, or what to do differently.')] : []),
  ];
}

function optionLine({ value, label, description = '' }: NonNullable<Question['options']>[number]): string {
  const name = label === value ? oneLine(value, 100) : `${oneLine(label, 100)} (${oneLine(value, 100)})`;
  return description === '' ? name : `${name}: ${oneLine(description, MAX_LINE)}`;
}

/** What stands before the place where the answer is written. */
export function promptOf({ kind, default: suggested }: Question): string {
  if (kind !== 'confirm') return '> ';
  if (suggested === undefined) return 'yes or no > ';
  return suggested ? 'yes or no (yes) > ' : 'yes or no (no) > ';
}
