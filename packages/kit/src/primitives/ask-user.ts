import type { AskUserConfig } from '../definition/skill-definition.ts';
import { escapeAttribute } from './escape-markup.ts';
import { checkQuestion, headerAttribute, multiSelectAttribute, renderOptions } from './options.ts';
import type { PrimitiveKind } from './primitive-kind.ts';

const OPEN =
  'An open question has no options and uses no tool: ask it in a message and take the answer as it is.';

/** A question to the person: open, or with options to choose from. */
export const askUser: PrimitiveKind<AskUserConfig> = {
  tag: 'ask-user',
  tools: [
    'AskUserQuestion',
    'request_user_input',
    'ToolRequestUserInput',
    'ask_followup_question',
    'ask-user',
    'question',
  ],
  check: (config) => {
    if (config.type === 'structured') {
      checkQuestion(config, 'act.askUser');
    }
  },
  render: (config) => {
    const question = escapeAttribute(config.question);
    if (config.type === 'open') {
      return `<ask-user type="open" question="${question}" />`;
    }
    return (
      `<ask-user type="structured"${headerAttribute(config.header)} question="${question}"` +
      `${multiSelectAttribute(config.multiSelect)}>\n${renderOptions(config.options, '  ')}\n</ask-user>`
    );
  },
  howToUse: (tool) =>
    tool === null
      ? 'Show the `<option>` children as a numbered list, each with its description and preview, and wait. Accept only ' +
        `what names one of them; with \`multi-select\`, one or more. Answer with \`value\`s. ${OPEN}`
      : `Call ${tool} with the question and exactly the \`<option>\` children: labels shown, descriptions and previews ` +
        `beside them, \`header\` as the title, \`multi-select\` when set. Answer with \`value\`s. ${OPEN}`,
};
