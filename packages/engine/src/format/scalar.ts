import type { TextNode } from './node.ts';

/** Typing of plain scalars by the core schema of YAML 1.2 (chapter 10.3). */

const NULL = new Set(['', '~', 'null', 'Null', 'NULL']);
const TRUE = new Set(['true', 'True', 'TRUE']);
const FALSE = new Set(['false', 'False', 'FALSE']);
const DECIMAL = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const OCTAL = /^0o[0-7]+$/;
const HEXADECIMAL = /^0x[0-9a-fA-F]+$/;

/** A null: written as nothing, `~` or `null`. A quoted "null" is text. */
export function isNullScalar(node: TextNode): boolean {
  return node.plain && NULL.has(node.text);
}

/** The characters of a text field (spec section 1): those of the source, and none for null. */
export function textOf(node: TextNode): string {
  return isNullScalar(node) ? '' : node.text;
}

/** The number a scalar stands for, or undefined. What no double can hold is no number here. */
export function numberOf(node: TextNode): number | undefined {
  const { text } = node;
  if (!node.plain || !(DECIMAL.test(text) || OCTAL.test(text) || HEXADECIMAL.test(text))) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** The flag a scalar stands for, or undefined. */
export function flagOf(node: TextNode): boolean | undefined {
  if (!node.plain) return undefined;
  if (TRUE.has(node.text)) return true;
  return FALSE.has(node.text) ? false : undefined;
}

/**
 * A scalar as JSON holds it. A number JSON cannot hold (`.inf`, `1e999`) keeps its spelling as text, so that it does
 * not spoil what stands around it (spec section 4).
 */
export function jsonScalarOf(node: TextNode): null | boolean | number | string {
  if (!node.plain) return node.text;
  if (NULL.has(node.text)) return null;
  return flagOf(node) ?? numberOf(node) ?? node.text;
}
