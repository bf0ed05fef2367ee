import { useEffect, useRef, useState, type ReactNode } from 'react';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  /** A key that leads here from anywhere on the page. */
  readonly hotkey?: string;
  /** What may be chosen. */
  readonly choices?: readonly string[];
}

/** How long somebody must have stopped typing before it is searched for. */
const PAUSE_MS = 250;

/** A field that filters as one types. */
export function SearchField({ label, value, onChange, ...more }: SearchFieldProps): ReactNode {
  const { placeholder, hotkey, choices = [] } = more;
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const list = `${label} choices`.replaceAll(' ', '-').toLowerCase();
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const typing =
        event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
      if (event.key !== hotkey || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [hotkey]);
  return (
    <label className="field">
      <span>{label}</span>
      <input
        ref={input}
        type="search"
        value={text}
        placeholder={placeholder}
        list={choices.length > 0 ? list : undefined}
        aria-keyshortcuts={hotkey}
        onChange={(event) => setText(event.target.value)}
      />
      {choices.length > 0 && (
        <datalist id={list}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
    </label>
  );
}
