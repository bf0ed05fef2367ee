import type { Finding, Severity } from './finding.ts';

/** The part of a SARIF 2.1.0 log that is written here. */
export interface SarifLog {
  readonly $schema: string;
  readonly version: '2.1.0';
  readonly runs: readonly SarifRun[];
}

interface SarifRun {
  readonly tool: { readonly driver: SarifDriver };
  readonly invocations: readonly SarifInvocation[];
  readonly columnKind: 'utf16CodeUnits';
  readonly originalUriBaseIds?: Readonly<Record<string, { readonly uri: string }>>;
  readonly results: readonly SarifResult[];
}

interface SarifDriver {
  readonly name: string;
  readonly semanticVersion: string;
  readonly rules: readonly SarifReportingDescriptor[];
}

interface SarifReportingDescriptor {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
  readonly fullDescription: { readonly text: string };
  readonly help: { readonly text: string };
  readonly helpUri?: string;
  readonly defaultConfiguration: { readonly level: SarifLevel };
}

interface SarifInvocation {
  readonly executionSuccessful: boolean;
  readonly toolExecutionNotifications?: readonly SarifNotification[];
}

interface SarifNotification {
  readonly level: SarifLevel;
  readonly message: { readonly text: string };
  readonly descriptor: { readonly id: string };
  readonly locations?: readonly SarifLocation[];
}

interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: SarifLevel;
  readonly message: { readonly text: string };
  readonly locations: readonly SarifLocation[];
}

interface SarifLocation {
  readonly physicalLocation: {
    readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: string };
    readonly region?: { readonly startLine: number; readonly startColumn: number };
  };
  readonly logicalLocations?: readonly { readonly name: string; readonly kind: 'member' }[];
}

type SarifLevel = 'error' | 'warning' | 'note';

/** What a log says of a rule. */
interface SarifRule {
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  readonly about: string;
  readonly topic: string;
}

/** Something about the run itself: a file that could not be read, a server that could not be asked. */
interface SarifNotice {
  /** A code of the catalogue of errors. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** The file it is about. */
  readonly file?: string;
}

/** What a log is made of. */
export interface SarifInput {
  readonly version: string;
  readonly rules: readonly SarifRule[];
  readonly findings: readonly Finding[];
  readonly notices: readonly SarifNotice[];
  /** Absolute address of the folder that relative names of files start at; ends with a slash. */
  readonly baseUri?: string;
  /** Absolute address of the folder with a page `<rule>.md` for each rule; ends with a slash. */
  readonly docsUri?: string;
}

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const BASE_ID = 'SRCROOT';

const LEVELS: Readonly<Record<Severity, SarifLevel>> = { error: 'error', warning: 'warning', info: 'note' };

/**
 * The findings as a SARIF 2.1.0 log, for code hosting sites and editors.
 * The run counts as unsuccessful when a notice is an error: then something was not looked at.
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export function toSarif(input: SarifInput): SarifLog {
  const { rules, findings, notices, baseUri } = input;
  const indexOf = new Map(rules.map((rule, index) => [rule.id, index]));
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'skillyard',
            semanticVersion: input.version,
            rules: rules.map((rule) => descriptor(rule, input.docsUri)),
          },
        },
        invocations: [invocation(notices, baseUri)],
        columnKind: 'utf16CodeUnits',
        ...(baseUri !== undefined && { originalUriBaseIds: { [BASE_ID]: { uri: baseUri } } }),
        results: findings.map((finding) => result(finding, indexOf.get(finding.rule) ?? -1, baseUri)),
      },
    ],
  };
}

function descriptor(
  { id, title, about, severity, topic }: SarifRule,
  docsUri: string | undefined,
): SarifReportingDescriptor {
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: about },
    help: { text: `${about} See \`skillyard handbook ${topic}\`.` },
    ...(docsUri !== undefined && { helpUri: `${docsUri}${id}.md` }),
    defaultConfiguration: { level: LEVELS[severity] },
  };
}

function invocation(notices: readonly SarifNotice[], baseUri: string | undefined): SarifInvocation {
  const executionSuccessful = notices.every((notice) => notice.severity !== 'error');
  if (notices.length === 0) return { executionSuccessful };
  const toolExecutionNotifications = notices.map(({ code, severity, message, file }) => ({
    level: LEVELS[severity],
    message: { text: message },
    descriptor: { id: code },
    ...(file !== undefined && {
      locations: [{ physicalLocation: { artifactLocation: artifact(file, baseUri) } }],
    }),
  }));
  return { executionSuccessful, toolExecutionNotifications };
}

function result(finding: Finding, ruleIndex: number, baseUri: string | undefined): SarifResult {
  const { rule, severity, message, hint, file, line, column, step } = finding;
  return {
    ruleId: rule,
    // -1: the log has no descriptor of the rule (SARIF 3.27.6).
    ruleIndex,
    level: LEVELS[severity],
    message: { text: hint === '' ? message : `${message} ${hint}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: artifact(file, baseUri),
          region: { startLine: line, startColumn: column },
        },
        ...(step !== undefined &&
          step !== '' && { logicalLocations: [{ name: step, kind: 'member' as const }] }),
      },
    ],
  };
}

/** The address of a file: absolute for an absolute name, else relative to the base. */
function artifact(file: string, baseUri: string | undefined): { uri: string; uriBaseId?: string } {
  const path = file.replaceAll('\\', '/');
  const encoded = path.split('/').map(encodeSegment).join('/');
  if (path.startsWith('/')) return { uri: `file://${encoded}` };
  if (/^[A-Za-z]:\//.test(path)) return { uri: `file:///${encoded.replace('%3A', ':')}` };
  return { uri: encoded, ...(baseUri !== undefined && { uriBaseId: BASE_ID }) };
}

/** A lone surrogate, which a file name may hold, has no UTF-8 and would make the encoder throw. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.replace(/\p{Cs}/gu, '\ufffd'));
}
