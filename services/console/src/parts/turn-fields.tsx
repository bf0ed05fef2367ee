import { useId, type ReactNode } from 'react';
import { useCaller } from '../access/use-caller.ts';

/** What is asked for with a turn, as it is typed. */
export interface TurnFieldTexts {
  readonly input: string;
  /** `name=value` lines. */
  readonly vars: string;
  /** `name=value` lines. */
  readonly labels: string;
  readonly priority: string;
  readonly tenant: string;
}

/** Nothing is typed yet. */
export const NO_FIELDS: TurnFieldTexts = { input: '', vars: '', labels: '', priority: '5', tenant: '' };

interface TurnFieldsProps {
  readonly fields: TurnFieldTexts;
  readonly setFields: (fields: TurnFieldTexts) => void;
  /** Variables that the skill reads. */
  readonly reads: readonly string[];
}

/** The fields of a turn besides its skill. */
export function TurnFields({ fields, setFields, reads }: TurnFieldsProps): ReactNode {
  const { actsForAll } = useCaller();
  const hint = useId();
  const set = (changed: Partial<TurnFieldTexts>): void => setFields({ ...fields, ...changed });
  return (
    <>
      <label className="field">
        <span>Input</span>
        <textarea rows={3} value={fields.input} onChange={({ target }) => set({ input: target.value })} />
      </label>
      <label className="field">
        <span>Variables, one name=value a line</span>
        <textarea
          rows={2}
          value={fields.vars}
          aria-describedby={hint}
          onChange={({ target }) => set({ vars: target.value })}
        />
      </label>
      <p id={hint} className="quiet">
        {reads.length > 0 ? `This skill reads ${reads.join(', ')}.` : ''}
      </p>
      <label className="field">
        <span>Labels, one name=value a line</span>
        <textarea rows={2} value={fields.labels} onChange={({ target }) => set({ labels: target.value })} />
      </label>
      <label className="field short">
        <span>Priority, 0 to 9: 9 goes first</span>
        <input
          type="number"
          min={0}
          max={9}
          required
          value={fields.priority}
          onChange={({ target }) => set({ priority: target.value })}
        />
      </label>
      {actsForAll && (
        <label className="field short">
          <span>Tenant, default when empty</span>
          <input value={fields.tenant} onChange={({ target }) => set({ tenant: target.value })} />
        </label>
      )}
    </>
  );
}
