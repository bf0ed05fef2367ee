import { Type, type Static } from 'typebox';

/**
 * The words of the embedding application. The engine ships none of its own; an empty list means that the mechanism
 * which needs such words steps aside.
 */
export const Vocabulary = Type.Object({
  decisionMarkers: Type.Array(Type.String(), {
    description: 'What a model writes just before it names its choice.',
  }),
  truncationNotes: Type.Array(Type.String(), { description: 'How a host marks a result it shortened.' }),
});
export type Vocabulary = Static<typeof Vocabulary>;
