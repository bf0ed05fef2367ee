import type { Question, QuestionOption } from '@skillyard/contracts';
import type { Primitive, PromptPiece } from '../definition/prompt-piece.ts';
import type { Option, SurveyQuestion } from '../definition/skill-definition.ts';

/** What a prompt asks people. */
export interface AskedOfPeople {
  /** None: it asks nobody. */
  readonly questions: readonly Question[];
  /** It has nothing besides: no instruction that a model would have to follow. */
  readonly alone: boolean;
}

/** Finds the questions in a prompt, in their order. */
export function questionsOf(pieces: readonly PromptPiece[]): AskedOfPeople {
  const asked = pieces.map(questionsIn);
  const questions = asked.flat();
  const alone =
    questions.length > 0 &&
    pieces.every((piece, index) => {
      if (typeof piece === 'string') return piece.trim() === '';
      return piece.kind !== 'act' || (asked[index]?.length ?? 0) > 0;
    });
  return { questions, alone };
}

function questionsIn(piece: PromptPiece): Question[] {
  return typeof piece === 'string' || piece.kind !== 'act' ? [] : questionsOfPrimitive(piece.primitive);
}

function questionsOfPrimitive(primitive: Primitive): Question[] {
  switch (primitive.kind) {
    case 'askUser':
      return primitive.type === 'open' ? [{ kind: 'text', text: primitive.question }] : [choice(primitive)];
    case 'confirm':
      return [
        {
          kind: 'confirm',
          text: primitive.message,
          default: primitive.defaultAnswer === 'yes',
          ...(primitive.destructive === true && { destructive: true }),
        },
      ];
    case 'plan':
      return [{ kind: 'plan', text: primitive.summary, steps: [...primitive.steps] }];
    case 'survey':
      return primitive.questions.map(choice);
    case 'checklist':
    case 'subagent':
      return [];
  }
}

function choice({ question, header, options, multiSelect }: SurveyQuestion): Question {
  return {
    kind: 'choice',
    text: question,
    options: options.map(optionOf),
    ...(header !== undefined && { header }),
    ...(multiSelect === true && { multiSelect }),
  };
}

function optionOf({ value, label, description, preview }: Option): QuestionOption {
  return {
    value,
    label,
    ...(description !== undefined && { description }),
    ...(preview !== undefined && { preview }),
  };
}
