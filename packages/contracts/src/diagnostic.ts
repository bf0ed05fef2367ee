import { Type, type Static } from 'typebox';

/** A place in a source text, both counted from 1. */
export const Position = Type.Object({
  line: Type.Integer({ minimum: 1 }),
  column: Type.Integer({ minimum: 1 }),
});
export type Position = Static<typeof Position>;

/** Something wrong, or worth knowing, in a skill file. */
export const Diagnostic = Type.Object({
  code: Type.String({ description: 'Stable: a validation code or a lint rule id.' }),
  severity: Type.Enum(['error', 'warning', 'info']),
  message: Type.String({ description: 'What is wrong.' }),
  hint: Type.Optional(Type.String({ description: 'What to write instead.' })),
  file: Type.Optional(Type.String()),
  position: Type.Optional(Position),
  step: Type.Optional(Type.String()),
});
export type Diagnostic = Static<typeof Diagnostic>;

/** `file:line:column`, with what is known of it. */
export function formatPlace(diagnostic: Diagnostic): string {
  const file = diagnostic.file ?? '<skill>';
  return diagnostic.position ? `${file}:${diagnostic.position.line}:${diagnostic.position.column}` : file;
}
