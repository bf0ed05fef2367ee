/** The one tool server of the crash tests, and the class of its workers. */
export const TOOL_CLASS = 'bench';
