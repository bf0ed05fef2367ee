import type { SurveyQuestion } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { escapeAttribute } from './escape-markup.ts';
import { checkQuestion, headerAttribute, multiSelectAttribute, renderOptions } from './options.ts';
import type { PrimitiveKind } from './primitive-kind.ts';

export interface SurveyConfig {
  readonly questions: readonly SurveyQuestion[];
}

/** Tools that ask several questions take this many at once. */
const QUESTIONS_PER_BLOCK = 4;

/** Asks one question a call. */
const ONE_BY_ONE_TOOL = 'ask_followup_question';

/** Several questions to the person in one step. */
export const survey: PrimitiveKind<SurveyConfig> = {
  tag: 'survey',
  tools: [
    'AskUserQuestion',
    'request_user_input',
    'ToolRequestUserInput',
    'question',
    'ask-user',
    'ask_followup_question',
  ],
  check: ({ questions }) => {
    if (questions.length === 0) {
      throw new KitError(
        'SKILL_DEFINITION_INVALID',
        'act.survey: give at least 1 question, or leave the survey out',
      );
    }
    for (const question of questions) {
      checkQuestion(question, 'act.survey');
    }
  },
  render: ({ questions }) => {
    const blocks: string[] = [];
    for (let first = 0; first < questions.length; first += QUESTIONS_PER_BLOCK) {
      blocks.push(renderBlock(questions.slice(first, first + QUESTIONS_PER_BLOCK)));
    }
    return blocks.join('\n\n');
  },
  howToUse: (tool) => {
    if (tool === null) {
      return (
        'Show every `<question>` with its `<option>` children as numbered lists in one message, and wait. Accept only ' +
        'what names an option. Answer with `value`s, in the order of the questions.'
      );
    }
    return tool === ONE_BY_ONE_TOOL
      ? `Ask the \`<question>\` children one after another, each with its own call of ${tool}. Collect the \`value\`s in order.`
      : `Ask all \`<question>\` children of a block with one call of ${tool}, their options unchanged. Collect the \`value\`s in order.`;
  },
};

function renderBlock(questions: readonly SurveyQuestion[]): string {
  return `<survey>\n${questions.map(renderQuestion).join('\n')}\n</survey>`;
}

function renderQuestion(question: SurveyQuestion): string {
  return (
    `  <question${headerAttribute(question.header)} text="${escapeAttribute(question.question)}"` +
    `${multiSelectAttribute(question.multiSelect)}>\n${renderOptions(question.options, '    ')}\n  </question>`
  );
}
