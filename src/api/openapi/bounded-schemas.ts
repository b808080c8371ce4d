import { MAX_LIMIT } from '../../domain/kernel/paging/numbered-page.ts';

/**
 * Maximum characters of a text in a request or response. No body may have more bytes
 * (`MAX_BODY_BYTES`).
 */
const MAX_TEXT = 100_000;

type Node = Record<string, unknown>;

/**
 * Adds size limits to all schemas of an OpenAPI document that have none, because generated clients
 * and gateways check them. Files (exports and pages) have no maximum size, so their schemas get no
 * limit.
 */
export function boundSchemas(description: object): void {
  walk(description as Node);
}

function walk(node: Node): void {
  bound(node);
  for (const [key, value] of Object.entries(node)) {
    if (key === 'example' || key === 'examples' || typeof value !== 'object' || value === null) continue;
    const isFile = key.startsWith('text/');
    if (!isFile) walk(value as Node);
  }
}

function bound(node: Node): void {
  const types = [node.type].flat();
  if (types.includes('string') && !('enum' in node) && !('const' in node)) node.maxLength ??= MAX_TEXT;
  if (types.includes('array')) node.maxItems ??= MAX_LIMIT;
  if (types.includes('integer')) {
    node.format ??= 'int64';
    if (!('exclusiveMinimum' in node)) node.minimum ??= 0;
    if (!('exclusiveMaximum' in node)) node.maximum ??= Number.MAX_SAFE_INTEGER;
  }
}
