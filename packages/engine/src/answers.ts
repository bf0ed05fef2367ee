import type { Answers, AskJob, Json, Question, StepResult } from '@skillyard/contracts';

/** The longest text of one answer, in characters. What is answered becomes a variable of the turn. */
const MAX_ANSWER = 64 * 1024;

/**
 * Checks what a person answered against the questions.
 * @returns what is wrong and what may be answered instead; null when the answers fit
 */
export function checkAnswers(questions: readonly Question[], answers: Answers): string | null {
  if (answers.length !== questions.length) {
    return `${count(questions.length, 'question')} asked, and ${count(answers.length, 'answer')} given; give one value for each question, in their order`;
  }
  for (const [index, question] of questions.entries()) {
    const wrong = checkAnswer(question, answers[index] ?? null);
    if (wrong !== null) return questions.length === 1 ? wrong : `answer ${index + 1}: ${wrong}`;
  }
  return null;
}

/** The result of an `ask` job: the answers, and the text that a flow stores of them. */
export function answerResult({ id }: Pick<AskJob, 'id'>, answers: Answers): StepResult {
  const [only = null] = answers;
  const text = answers.length === 1 ? answerText(only) : JSON.stringify(answers);
  return { jobId: id, status: 'ok', text, value: answers };
}

/** One answer as a text: what conditions of a flow compare with. */
function answerText(answer: Json): string {
  if (typeof answer === 'string') return answer;
  if (typeof answer === 'boolean') return answer ? 'yes' : 'no';
  return JSON.stringify(answer);
}

function checkAnswer(question: Question, answer: Json): string | null {
  switch (question.kind) {
    case 'text':
      return typeof answer === 'string' ? checkLength(answer) : 'the answer is a text; give a string';
    case 'choice':
      return checkChoice(question, answer);
    case 'confirm':
      return typeof answer === 'boolean' ? null : 'it is confirmed or not; give true or false';
    case 'plan':
      return checkPlan(answer);
  }
}

function checkChoice({ options = [], multiSelect = false }: Question, answer: Json): string | null {
  const values = options.map(({ value }) => value);
  const offered = `offered are ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  if (!multiSelect) {
    if (typeof answer !== 'string') return `one of the options is chosen; give its value: ${offered}`;
    return values.includes(answer) ? null : `${shown(answer)} is none of the options; ${offered}`;
  }
  if (!Array.isArray(answer)) return `several options may be chosen; give a list of their values: ${offered}`;
  for (const one of answer) {
    if (typeof one !== 'string' || !values.includes(one))
      return `${shown(one)} is none of the options; ${offered}`;
  }
  return new Set(answer).size === answer.length ? null : 'an option is chosen twice; name each once';
}

function checkPlan(answer: Json): string | null {
  const form =
    'the answer to a plan is {"approved": true or false, "modifications": "what to do differently"}';
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return form;
  const { approved, modifications, ...rest } = answer;
  if (typeof approved !== 'boolean' || Object.keys(rest).length > 0) return form;
  if (modifications === undefined) return null;
  return typeof modifications === 'string' ? checkLength(modifications) : form;
}

function checkLength(text: string): string | null {
  if (text.length <= MAX_ANSWER) return null;
  return `the answer has ${text.length} characters; ${MAX_ANSWER} are let through`;
}

function shown(answer: Json): string {
  // It may be deeper than it can be written.
  if (typeof answer === 'object' && answer !== null) return Array.isArray(answer) ? 'a list' : 'an object';
  const text = JSON.stringify(answer);
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? ' is' : 's are'}`;
}
