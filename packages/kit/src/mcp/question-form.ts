import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import type { Answers, Json, Question } from '@skillyard/contracts';

type FormSchema = ElicitRequestFormParams['requestedSchema'];
type Field = FormSchema['properties'][string];
type Option = NonNullable<Question['options']>[number];

/** Questions as a form that a client shows. */
export interface QuestionForm {
  readonly message: string;
  readonly requestedSchema: FormSchema;
}

/** Names of fields: people see the titles. */
const fieldOf = (index: number): string => `answer${index + 1}`;
const changesOf = (index: number): string => `changes${index + 1}`;

/** @param views texts to be shown above the questions */
export function formOf(views: readonly string[], questions: readonly Question[]): QuestionForm {
  const properties: Record<string, Field> = {};
  const required: string[] = [];
  for (const [index, question] of questions.entries()) {
    properties[fieldOf(index)] = fieldFor(question);
    required.push(fieldOf(index));
    if (question.kind === 'plan') {
      properties[changesOf(index)] = { type: 'string', title: 'What is to be changed?' };
    }
  }
  return {
    message: [...views, ...questions.map(textOf)].join('\n\n'),
    requestedSchema: { type: 'object', properties, required },
  };
}

/** What was filled in, one answer a question; null when a form came back that is not ours. */
export function answersOf(
  questions: readonly Question[],
  content: Readonly<Record<string, unknown>>,
): Answers | null {
  const answers = questions.map((question, index) => answerOf(question, index, content));
  return answers.every((answer) => answer !== undefined) ? answers : null;
}

function fieldFor({ kind, text, header, options = [], multiSelect, default: suggested }: Question): Field {
  const title = header ?? text;
  switch (kind) {
    case 'text':
      return { type: 'string', title };
    case 'confirm':
      return { type: 'boolean', title, ...(suggested === undefined ? {} : { default: suggested }) };
    case 'plan':
      return { type: 'boolean', title: 'Go on with this plan?' };
    case 'choice':
      return multiSelect === true
        ? { type: 'array', title, items: { anyOf: options.map(choiceOf) } }
        : { type: 'string', title, oneOf: options.map(choiceOf) };
  }
}

function choiceOf({ value, label }: Option): { const: string; title: string } {
  return { const: value, title: label };
}

/** What is to be read before the form is filled in. */
function textOf({ text, destructive, steps = [], options = [] }: Question): string {
  return [
    text,
    ...(destructive === true ? ['This cannot be undone.'] : []),
    ...steps.map((step, index) => `${index + 1}. ${step}`),
    ...options.flatMap(describe),
  ].join('\n');
}

/** Only what its label does not say. */
function describe({ label, description, preview }: Option): string[] {
  const said = [description, preview].filter((part) => part !== undefined && part !== '');
  return said.length === 0 ? [] : [`- ${label}: ${said.join('\n  ')}`];
}

function answerOf(
  { kind, options = [], multiSelect }: Question,
  index: number,
  content: Readonly<Record<string, unknown>>,
): Json | undefined {
  const value = content[fieldOf(index)];
  const isOption = (one: unknown): one is string => options.some((option) => option.value === one);
  switch (kind) {
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'confirm':
      return typeof value === 'boolean' ? value : undefined;
    case 'plan': {
      const changes = content[changesOf(index)];
      if (typeof value !== 'boolean') {
        return undefined;
      }
      return typeof changes === 'string' && changes !== ''
        ? { approved: value, modifications: changes }
        : { approved: value };
    }
    case 'choice':
      if (multiSelect === true) {
        return Array.isArray(value) && value.every(isOption) ? value : undefined;
      }
      return isOption(value) ? value : undefined;
  }
}
