import { resolveTemplate } from './resolve-template.ts';

/** The tag of instructions: lets a prompt be indented with the code it stands in. See `resolveTemplate`. */
export function prompt(strings: TemplateStringsArray, ...values: readonly unknown[]): string {
  return resolveTemplate(strings, values);
}
