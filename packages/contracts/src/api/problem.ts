import { Type, type Static } from 'typebox';
import { Diagnostic } from '../diagnostic.ts';

/** How the API says that something went wrong: RFC 9457, with our code. */
export const Problem = Type.Object({
  type: Type.String({ description: 'Where the code is explained.' }),
  title: Type.String({ description: 'What the code means.' }),
  status: Type.Integer(),
  code: Type.String({ description: 'A stable code, as docs/errors.md lists them.' }),
  detail: Type.String({ description: 'What is wrong here, and what to do.' }),
  instance: Type.String({ description: 'The id of the request, as the log has it.' }),
  diagnostics: Type.Optional(Type.Array(Diagnostic, { description: 'Of a skill that is refused.' })),
});
export type Problem = Static<typeof Problem>;
