import type { Requirement } from '@skillyard/contracts';
import type { ReactNode } from 'react';
import { OutcomeMark } from './outcome-mark.tsx';

/** `sha256:` and the digits that tell two digests of a turn apart. */
const SHOWN_DIGEST = 'sha256:'.length + 12;

/** What a program claimed of its work, in the order it did, and whether its evidence bore it out. */
export function RequirementsView({ requirements }: { requirements: readonly Requirement[] }): ReactNode {
  return (
    <div className="wide">
      <table aria-label="Requirements">
        <thead>
          <tr>
            <th scope="col">Outcome</th>
            <th scope="col">Requirement</th>
            <th scope="col">Evidence</th>
          </tr>
        </thead>
        <tbody>
          {requirements.map(({ claim, passed, evidenceDigest }, index) => (
            // The same claim may be made twice, and the list of a turn that has ended never changes.
            <tr key={index}>
              <td>
                <OutcomeMark state={passed ? 'passed' : 'failed'} />
              </td>
              <td>{claim}</td>
              <td className="id" title={evidenceDigest}>
                {evidenceDigest === undefined ? 'none' : `${evidenceDigest.slice(0, SHOWN_DIGEST)}…`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
