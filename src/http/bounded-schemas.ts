import { MAX_LIMIT } from '../domain/merchant/page.ts';

/** Characters of a text in a request or an answer, at most: no body may have more bytes (`MAX_BODY_BYTES`). */
const MAX_TEXT = 100_000;
/** What is sent as a file has no end of its own. */
const MAX_FILE = Number.MAX_SAFE_INTEGER;

type Node = Record<string, unknown>;

/**
 * Writes down in every schema of a description how large its values may be, where the schema does not say: generated clients
 * and gateways check by it.
 */
export function boundSchemas(description: object): void {
  walk(description as Node, MAX_TEXT);
}

function walk(node: Node, maxText: number): void {
  bound(node, maxText);
  for (const [key, value] of Object.entries(node)) {
    if (key === 'example' || key === 'examples' || typeof value !== 'object' || value === null) continue;
    const isFile = key.includes('/') && !key.startsWith('/') && !key.includes('json');
    walk(value as Node, isFile ? MAX_FILE : maxText);
  }
}

function bound(node: Node, maxText: number): void {
  const types = [node.type].flat();
  if (types.includes('string') && !('enum' in node) && !('const' in node)) node.maxLength ??= maxText;
  if (types.includes('array')) node.maxItems ??= MAX_LIMIT;
  if (types.includes('integer')) {
    node.format ??= 'int64';
    if (!('exclusiveMinimum' in node)) node.minimum ??= 0;
    if (!('exclusiveMaximum' in node)) node.maximum ??= Number.MAX_SAFE_INTEGER;
  }
}
