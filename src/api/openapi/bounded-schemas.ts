import { MAX_LIMIT } from '../../domain/paging/page.ts';

/**
 * Maximum characters of a text in a request or response: no body may have more bytes
 * (`MAX_BODY_BYTES`).
 */
const MAX_TEXT = 100_000;
/** Exported files have no maximum size. */
const MAX_FILE = Number.MAX_SAFE_INTEGER;

type Node = Record<string, unknown>;

/**
 * Adds size limits to all schemas of an OpenAPI document that have none, because generated clients
 * and gateways check them.
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
