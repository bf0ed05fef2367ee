import {
  classOfServer,
  type Config,
  type Diagnostic,
  namesInClass,
  OWN_CLASSES,
  workerClasses,
} from '@skillyard/contracts';
import type { ConfigDocument } from './config-document.ts';
import { at } from './describe-config-error.ts';
import { suggest } from './nearest.ts';

/**
 * Names under `classes` that lead nowhere. Unnoticed they would do nothing at all: no limit would hold and no job would
 * go before another.
 */
export function checkClasses(document: ConfigDocument, config: Config): Diagnostic[] {
  const known = workerClasses(config);
  return Object.entries(config.classes ?? {}).flatMap(([name, { priority = {} }]) => {
    if (known.includes(name)) return checkPriority(document, name, Object.keys(priority), config);
    const message = `classes.${name} is the class of no server`;
    return at(document, ['classes', name], 'key', message, serverHint(name, config) ?? suggest(name, known));
  });
}

/** Servers that would be called where models, built-in tools or the code of skills are: their own jobs would be lost among those. */
export function checkServerNames(document: ConfigDocument, config: Config): Diagnostic[] {
  return Object.entries(config.servers ?? {}).flatMap(([name, server]) => {
    const hint = `ours are ${OWN_CLASSES.map((one) => `\`${one}\``).join(', ')}`;
    if (OWN_CLASSES.includes(name))
      return at(document, ['servers', name], 'key', `servers.${name} has the name of a class of ours`, hint);
    if (server.class === undefined || !OWN_CLASSES.includes(server.class)) return [];
    return at(
      document,
      ['servers', name, 'class'],
      'value',
      `servers.${name}.class is a class of ours`,
      hint,
    );
  });
}

function checkPriority(
  document: ConfigDocument,
  workerClass: string,
  names: readonly string[],
  config: Config,
): Diagnostic[] {
  const known = namesInClass(workerClass, config);
  const path = ['classes', workerClass, 'priority'];
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const message = `${path.join('.')} names "${name}", which no job of the class is for`;
      return at(document, [...path, name], 'key', message, serverHint(name, config) ?? suggest(name, known));
    });
}

/** For the name of a server whose class is another one. */
function serverHint(name: string, config: Config): string | undefined {
  if (!Object.hasOwn(config.servers ?? {}, name)) return undefined;
  return `the class of server \`${name}\` is \`${classOfServer(name, config)}\``;
}
