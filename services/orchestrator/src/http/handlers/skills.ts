import { describeSkill } from '../../skills/describe-skill.ts';
import type { SkillChecker } from '../../skills/skill-checker.ts';
import type { SkillShelf } from '../../skills/skill-shelf.ts';
import type { Handlers } from '../handler.ts';

type SkillHandlers = Pick<
  Handlers,
  'listSkills' | 'getSkill' | 'listSkillVersions' | 'uploadSkill' | 'deleteSkill' | 'checkSkill'
>;

/** The operations on skills. */
export function skillHandlers(skills: SkillShelf, checker: SkillChecker): SkillHandlers {
  return {
    listSkills: async ({ caller }) => ({ skills: await skills.list(caller.tenant) }),
    getSkill: async ({ caller, params, query }) =>
      describeSkill(await skills.find(caller.tenant, params.name, query.version)),
    listSkillVersions: async ({ caller, params }) => ({
      versions: await skills.versions(caller.tenant, params.name),
    }),
    uploadSkill: ({ caller, body }) => skills.upload(caller.tenant, body.text, caller.subject),
    deleteSkill: async ({ caller, params }) => {
      await skills.delete(caller.tenant, params.name);
      return undefined;
    },
    checkSkill: ({ caller, body }) => checker.check(caller.tenant, body.text),
  };
}
