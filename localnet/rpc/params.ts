import type { Address } from '@solana/kit';
import { decodeBase58 } from '../../src/base58/base58.ts';
import type { DataSlice } from './account-encoding.ts';
import { INVALID_PARAMS, RpcError, type RpcMethod } from './method.ts';

const NOT_BASE58 = /[^1-9A-HJ-NP-Za-km-z]/;
const NOT_BASE64 = /[^A-Za-z0-9+/=]/;
const MAX_U64 = 2 ** 64;
/** Longest base58 text of 32 and of 64 bytes. */
const MAX_BASE58_LENGTH = { 32: 44, 64: 88 } as const;

// The functions named `...Of` read a parameter, which is unchecked input. They throw an RpcError
// with a cluster's message if its type or value is wrong. An optional parameter is missing if it is
// undefined or null.

export function invalidParams(message: string): RpcError {
  return new RpcError(INVALID_PARAMS, message);
}

/**
 * Wraps a method that takes `min` to `max` parameters. Other numbers are refused with a cluster's
 * error.
 */
export function withParams(min: number, max: number, method: RpcMethod): RpcMethod {
  return (network, params) => {
    if (params.length < min) throw invalidParams(`\`params\` should have at least ${min} argument(s)`);
    if (params.length > max) {
      const expected =
        max === 0 ? 'No parameters were expected' : `Expected from ${min} to ${max} parameters.`;
      throw new RpcError(INVALID_PARAMS, `Invalid parameters: ${expected}`, `"Got: ${params.length}"`);
    }
    return method(network, params);
  };
}

/** Reads a configuration object. Undefined and null mean an empty one. */
export function configOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw wrongType(value, 'a map');
  return value as Record<string, unknown>;
}

export function stringOf(value: unknown): string {
  if (typeof value !== 'string') throw wrongType(value, 'a string');
  return value;
}

export function sequenceOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw wrongType(value, 'a sequence');
  return value;
}

export function stringsOf(value: unknown): readonly string[] {
  return sequenceOf(value).map(stringOf);
}

export function booleanOf(value: unknown, fallback: boolean): boolean {
  if (value === undefined || value === null) return fallback;
  if (typeof value !== 'boolean') throw wrongType(value, 'a boolean');
  return value;
}

/** Reads a u64. Numbers beyond 2^53 lose digits in JSON.parse; no caller needs these digits. */
export function naturalOf(value: unknown): number {
  if (typeof value !== 'number') throw wrongType(value, 'u64');
  if (!Number.isInteger(value)) throw wrongType(value, 'u64');
  if (value < 0 || value >= MAX_U64) {
    throw invalidParams(`Invalid params: invalid value: integer \`${value}\`, expected u64.`);
  }
  return value;
}

export function optionalNaturalOf(value: unknown): number | undefined {
  return value === undefined || value === null ? undefined : naturalOf(value);
}

export function oneOf<const T extends string>(value: unknown, variants: readonly T[], fallback: T): T {
  if (value === undefined || value === null) return fallback;
  const text = stringOf(value);
  const found = variants.find((variant) => variant === text);
  if (found === undefined) {
    const expected = variants.map((variant) => `\`${variant}\``).join(', ');
    throw invalidParams(`Invalid params: unknown variant \`${text}\`, expected one of ${expected}.`);
  }
  return found;
}

export function addressOf(value: unknown): Address {
  return base58Of(stringOf(value), 32) as Address;
}

export function blockhashOf(value: unknown): string {
  return base58Of(stringOf(value), 32);
}

export function signatureOf(value: unknown): string {
  return base58Of(stringOf(value), 64);
}

export function dataSliceOf(value: unknown): DataSlice | undefined {
  if (value === undefined || value === null) return undefined;
  const { offset, length } = configOf(value);
  return { offset: naturalOf(offset), length: naturalOf(length) };
}

/** The first character that is not base58, in the text of a cluster's decoder library; or null. */
export function base58Problem(text: string): string | null {
  const index = text.search(NOT_BASE58);
  return index < 0
    ? null
    : `InvalidCharacter { character: ${JSON.stringify(text[index]).replaceAll('"', "'")}, index: ${index} }`;
}

/**
 * The error of a strict decoder, in the text of a cluster's decoder library; or null.
 *
 * @param decoded the bytes that Node, which is not strict, decodes
 */
export function base64Problem(text: string, decoded: Buffer): string | null {
  if (decoded.toString('base64') === text) return null;
  const index = text.search(NOT_BASE64);
  return index < 0 ? 'InvalidPadding' : `InvalidByte(${index}, ${text.charCodeAt(index)})`;
}

function base58Of(text: string, bytes: 32 | 64): string {
  if (text.length > MAX_BASE58_LENGTH[bytes]) throw invalidParams('Invalid param: WrongSize');
  if (base58Problem(text)) throw invalidParams('Invalid param: Invalid');
  if (decodeBase58(text).length !== bytes) throw invalidParams('Invalid param: WrongSize');
  return text;
}

function wrongType(value: unknown, expected: string): RpcError {
  return invalidParams(`Invalid params: invalid type: ${describe(value)}, expected ${expected}.`);
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'sequence';
  switch (typeof value) {
    case 'string':
      return `string ${JSON.stringify(value)}`;
    case 'number':
      return Number.isInteger(value) ? `integer \`${value}\`` : `floating point \`${value}\``;
    case 'boolean':
      return `boolean \`${value}\``;
    default:
      return 'map';
  }
}
