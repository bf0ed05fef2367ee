import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCaller } from '../access/use-caller.ts';
import { api } from '../api.ts';
import { PageHead } from '../parts/page-head.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { UploadForm } from '../parts/upload-form.tsx';

/** The skills that turns can be submitted with by name. */
export function SkillsPage(): ReactNode {
  const caller = useCaller();
  const skills = useQuery({ queryKey: ['skills'], queryFn: () => api().listSkills() });
  return (
    <>
      <PageHead title="Skills" />
      {skills.error !== null && <ProblemNote error={skills.error} retry={() => void skills.refetch()} />}
      {skills.isPending && <p className="quiet">Loading…</p>}
      {skills.data?.skills.length === 0 && (
        <p className="note">
          There are no skills. Upload one below, or name folders of them in skillyard.yaml.
        </p>
      )}
      {skills.data !== undefined && skills.data.skills.length > 0 && (
        <div className="wide">
          <table>
            <thead>
              <tr>
                <th scope="col">Skill</th>
                <th scope="col">Description</th>
                <th scope="col">Version</th>
                <th scope="col">From</th>
              </tr>
            </thead>
            <tbody>
              {skills.data.skills.map((skill) => (
                <tr key={skill.name} className="leads">
                  <td>
                    <Link href={`/skills/${encodeURIComponent(skill.name)}`}>{skill.name}</Link>
                    {skill.title !== skill.name && <span className="quiet"> {skill.title}</span>}
                  </td>
                  <td className="message">{skill.description}</td>
                  <td>{skill.version}</td>
                  <td>{skill.origin === 'folder' ? 'a folder' : 'uploaded'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {caller.may('admin') ? (
        <UploadForm onDone={() => void skills.refetch()} />
      ) : (
        <p className="quiet">Skills are uploaded with keys that have the scope admin.</p>
      )}
    </>
  );
}
