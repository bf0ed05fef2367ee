import { type Json, type Question, SkillyardError } from '@skillyard/contracts';
import { checkAnswers } from '@skillyard/engine';

/**
 * Reads the answer to a question as a person writes it: an option by its value, its label or its number, several of them
 * with commas between, yes or no. Whoever has to be exact writes the value as JSON.
 * @throws SkillyardError ANSWER_INVALID when it fits nothing that may be answered
 */
export function readAnswer(question: Question, text: string): Json {
  if (question.kind === 'text') return checked(question, text);
  const exact = asJson(text);
  if (exact !== undefined && checkAnswers([question], [exact]) === null) return exact;
  return checked(question, asWritten(question, text.trim()));
}

function asWritten(question: Question, text: string): Json {
  switch (question.kind) {
    case 'text':
      return text;
    case 'choice':
      return question.multiSelect === true ? chosenOnes(question, text) : chosen(question, text);
    case 'confirm':
      return yesOrNo(question, text) ?? text;
    case 'plan': {
      const approved = yesOrNo(question, text);
      return approved === null ? { approved: false, modifications: text } : { approved };
    }
  }
}

/** The value of an option that is named somehow; the text itself when it names none. */
function chosen({ options = [] }: Question, text: string): string {
  const wanted = text.trim().toLowerCase();
  const byName =
    options.find(({ value }) => value === text.trim()) ??
    options.find(({ value, label }) => [value, label].some((name) => name.toLowerCase() === wanted));
  const byNumber = /^\d+$/.test(wanted) ? options[Number(wanted) - 1] : undefined;
  return (byName ?? byNumber)?.value ?? text.trim();
}

function chosenOnes(question: Question, text: string): string[] {
  if (text === '') return [];
  return text.split(',').map((one) => chosen(question, one));
}

const YES = new Set(['yes', 'y', 'true', 'approve', 'approved']);
const NO = new Set(['no', 'n', 'false', 'reject', 'rejected']);

function yesOrNo({ default: suggested }: Question, text: string): boolean | null {
  const word = text.toLowerCase();
  if (YES.has(word)) return true;
  if (NO.has(word)) return false;
  return word === '' ? (suggested ?? null) : null;
}

function asJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Most answers are words.
    return undefined;
  }
}

/** @throws SkillyardError ANSWER_INVALID */
function checked(question: Question, answer: Json): Json {
  const wrong = checkAnswers([question], [answer]);
  if (wrong === null) return answer;
  throw new SkillyardError('ANSWER_INVALID', wrong);
}
