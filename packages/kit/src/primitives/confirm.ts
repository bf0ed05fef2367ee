import type { ConfirmConfig } from '../definition/skill-definition.ts';
import { escapeText } from './escape-markup.ts';
import type { PrimitiveKind } from './primitive-kind.ts';

const CARE =
  'Whatever is not a clear yes or no counts as `default`. With `destructive="true"` say first that it cannot be undone.';

/** A yes or no of the person. */
export const confirm: PrimitiveKind<ConfirmConfig> = {
  tag: 'confirm',
  tools: ['AskUserQuestion', 'request_user_input', 'ask_followup_question'],
  render: ({ message, destructive, defaultAnswer }) =>
    `<confirm default="${defaultAnswer ?? 'no'}"${destructive === true ? ' destructive="true"' : ''}>` +
    `${escapeText(message)}</confirm>`,
  howToUse: (tool) =>
    tool === null
      ? `Put the text to the user as a question with the answers "yes" and "no", and wait. ${CARE}`
      : `Call ${tool} with the text and two options, yes and no. ${CARE}`,
};
