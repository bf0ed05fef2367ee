import { splitToolRef } from '../flow/tool-ref.ts';
import { isBlank } from '../flow/white-space.ts';
import { quoted } from './quoted.ts';
import type { Report, ValidationCode } from './report.ts';
import type { RawSkill } from './shapes.ts';

/** Checks the header keys that say where tools come from (spec section 17): each entry has to name something. */
export function checkSources(skill: RawSkill, report: Report): void {
  const refuse = (code: ValidationCode, key: keyof RawSkill, index: number, says: [string, string]): void => {
    const list = skill.node.entries.get(key);
    const item = list?.value.kind === 'list' ? list.value.items[index] : undefined;
    const [what, hint] = says;
    const message = `\`${key}[${index}]\` ${what}.`;
    report.add({ code, message, hint, offset: item?.offset ?? skill.node.offset });
  };
  const refuseBlank = (key: 'includes' | 'mcp_sources', field: string, hint: string): void => {
    for (const [index, entry] of (skill[key] ?? []).entries()) {
      if (!isBlankJson(entry[field])) continue;
      refuse('FIELD_MISSING', key, index, [`has no \`${field}\``, hint]);
    }
  };

  refuseBlank('includes', 'skill', 'Name the skill whose tools are taken over: - skill: logs.');
  refuseBlank(
    'mcp_sources',
    'server',
    'Name the server, and the tools if not all: - {server: gh, tools: [search]}.',
  );
  for (const [index, ref] of (skill.tool_refs ?? []).entries()) {
    const split = splitToolRef(ref);
    if (!isBlank(ref) && split?.server !== '' && split?.tool !== '') continue;
    const what = `is ${quoted(ref)}, which names no tool`;
    refuse('TOOL_INVALID', 'tool_refs', index, [what, 'Write server:tool, or the name of a built-in tool.']);
  }
  for (const [index, path] of (skill.agent_skills ?? []).entries()) {
    if (!isBlank(path)) continue;
    refuse('FIELD_MISSING', 'agent_skills', index, [
      'is blank',
      'Write the path of a folder with a SKILL.md.',
    ]);
  }
}

function isBlankJson(value: unknown): boolean {
  return typeof value !== 'string' || isBlank(value);
}
