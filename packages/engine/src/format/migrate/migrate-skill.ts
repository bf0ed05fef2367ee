import type { Diagnostic, Position } from '@skillyard/contracts';
import { Lines } from '../lines.ts';
import type { MapNode } from '../node.ts';
import { readFullYaml, readYamlSource, type YamlSource } from '../read-yaml.ts';
import { Report } from '../report.ts';
import { quoted } from '../quoted.ts';
import { textOf } from '../scalar.ts';
import { declaredMajor } from '../version.ts';
import { moveLangs } from './lang-edits.ts';
import { hasSameMeaning } from './same-meaning.ts';
import { IN_ROOT, indexPairs, type PairSource } from './pair-source.ts';
import { applyEdits, type TextEdit } from './text-edit.ts';
import { addVersion, MIGRATED_VERSION, replaceVersion } from './version-edit.ts';

/** One thing that a migration changed. */
export interface MigrationChange {
  /** Where it stood before. */
  readonly position: Position;
  /** What was done, and why. */
  readonly message: string;
}

/** What migrating a skill file came to. */
export type MigrationResult =
  | {
      readonly ok: true;
      /** The whole file. */
      readonly text: string;
      /** Whether it differs from what was given. */
      readonly changed: boolean;
      /** In the order of the text. */
      readonly changes: readonly MigrationChange[];
    }
  | {
      readonly ok: false;
      /** Why it is left alone. At least one. */
      readonly diagnostics: readonly Diagnostic[];
    };

const CURRENT_MAJOR = '2';
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Carries a skill file of format 1.x over to 2.x (spec section 16). It is edited as text: comments, order, quotes and
 * line ends stay. The result is not validated. Never throws; what cannot be carried over is in the diagnostics.
 * @param text the whole file
 * @param options.file its name, for messages
 */
export function migrateSkill(text: string, options: { readonly file?: string } = {}): MigrationResult {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const body = text.slice(mark.length);
  const report = new Report(new Lines(body), options.file);
  const source = readOneDocument(body, report);
  const major = source && readMajor(source.root, report);
  if (source === undefined || major === undefined) return { ok: false, diagnostics: report.diagnostics };
  if (major === CURRENT_MAJOR) return { ok: true, text, changed: false, changes: [] };

  const edited = editSource(body, source, report);
  if (edited === undefined) return { ok: false, diagnostics: report.diagnostics };
  return { ok: true, text: mark + edited.text, changed: true, changes: edited.changes };
}

/** The file is one bare document: what wraps a skill in something of its own has to unwrap it first. */
function readOneDocument(text: string, report: Report): YamlSource | undefined {
  const source = readYamlSource(text, report);
  const end = source?.tokens.find((token) => token.type === 'doc-end');
  if (end === undefined) return source;
  report.add({
    code: 'SKILL_SEVERAL_DOCUMENTS',
    message: 'The document is closed here by `...`, and a skill file is one open document.',
    hint: 'Remove the line.',
    offset: end.offset,
  });
  return undefined;
}

/** The major that the file declares; 1 when it declares none. @returns undefined when it cannot be carried over */
function readMajor(root: MapNode, report: Report): string | undefined {
  const entry = root.entries.get('skill_engine_version');
  const declared = entry === undefined ? '' : entry.value.kind === 'text' ? textOf(entry.value) : undefined;
  const major = declared === undefined ? undefined : declaredMajor(declared);
  if (major !== undefined && major.length === 1 && major <= CURRENT_MAJOR) return major;
  report.add({
    code: 'VERSION_UNSUPPORTED',
    message:
      major === undefined
        ? `\`skill_engine_version\` is ${declared === undefined ? 'no text' : quoted(declared)}, which is no version.`
        : `The file is written for format ${declared}, and this version of Skillyard knows formats up to ${CURRENT_MAJOR}.x.`,
    hint:
      major === undefined
        ? 'Write three numbers with dots between them: `skill_engine_version: "1.0.0"`.'
        : 'Update Skillyard.',
    offset: entry?.value.offset ?? 0,
  });
  return undefined;
}

interface Edited {
  readonly text: string;
  readonly changes: readonly MigrationChange[];
}

function editSource(text: string, source: YamlSource, report: Report): Edited | undefined {
  const pairs = indexPairs(source.tokens);
  const version = editVersion(text, source, pairs);
  if (version === undefined) {
    const message = 'There is no place in this file where a version could be put.';
    const hint = `Write \`skill_engine_version: "1.0.0"\` into it, as a key of the outermost mapping.`;
    report.add({ code: 'MIGRATION_REFUSED', message, hint, offset: source.root.offset });
  }
  const moves = moveLangs(source.root, { text, pairs, report });
  if (version === undefined || report.diagnostics.length > 0) return undefined;

  const edited = applyEdits(text, [version.edit, ...moves.flatMap((move) => move.edits)]);
  const after = readFullYaml(edited, new Report(new Lines(edited), undefined));
  if (after === undefined || !hasSameMeaning(source.root, after)) {
    const message =
      'Anchors, aliases or merge keys repeat what has to change, so an edit here would change more.';
    const hint = 'Write the repeated values out, then migrate again.';
    report.add({ code: 'MIGRATION_REFUSED', message, hint, offset: moves[0]?.offset ?? version.edit.offset });
    return undefined;
  }
  const changes = [
    { offset: version.edit.offset, message: version.message },
    ...moves.map(({ asset, offset }) => ({
      offset,
      message: `asset ${quoted(asset)}: \`lang\` is moved under \`params\`, where format 2 reads it`,
    })),
  ];
  return {
    text: edited,
    changes: changes
      .toSorted((a, b) => a.offset - b.offset)
      .map(({ offset, message }) => ({ position: report.positionAt(offset), message })),
  };
}

function editVersion(
  text: string,
  { root, tokens }: YamlSource,
  pairs: ReadonlyMap<number, PairSource>,
): { readonly edit: TextEdit; readonly message: string } | undefined {
  const entry = root.entries.get('skill_engine_version');
  const own = entry && pairs.get(entry.keyOffset);
  const isOwn = own?.parent === IN_ROOT;
  const first = [...pairs.values()].find((pair) => pair.parent === IN_ROOT);
  const edit = isOwn ? replaceVersion(own) : addVersion(text, tokens, first);
  const declared = entry?.value.kind === 'text' ? textOf(entry.value) : '';
  const message = isOwn
    ? `\`skill_engine_version\` is raised${declared === '' ? '' : ` from ${declared}`} to ${MIGRATED_VERSION}`
    : `\`skill_engine_version: "${MIGRATED_VERSION}"\` is added: a file without a version counts as 1.0.0`;
  return edit && { edit, message };
}
