type Named<T> = Readonly<Record<string, T>>;

interface Response {
  readonly headers?: Named<unknown>;
}

interface Operation {
  readonly description?: string;
  readonly responses?: Named<Response>;
}

/** The part of an OpenAPI document that this file changes. */
interface Document {
  readonly paths: Named<Named<Operation>>;
}

const ONCE = 'Every response has the headers that the first one lists.';

/**
 * Returns the document with the headers that all responses of an operation have only at its first
 * response. The page of an operation would otherwise repeat them for every status.
 */
export function withHeadersOnce<T extends Document>(document: T): T {
  const paths = mapValues(document.paths, (item) => mapValues(item, operationWithHeadersOnce));
  return { ...document, paths };
}

function operationWithHeadersOnce(operation: Operation): Operation {
  const { description = '', responses = {} } = operation;
  const [first, ...others] = Object.values(responses);
  const shared = Object.entries(first?.headers ?? {});
  const has = ({ headers }: Response, [name, header]: [string, unknown]) =>
    JSON.stringify(headers?.[name]) === JSON.stringify(header);
  const isShared = others.every((other) => shared.every((header) => has(other, header)));
  if (shared.length === 0 || others.length === 0 || !isShared) return operation;
  const names = new Set(shared.map(([name]) => name));
  return {
    ...operation,
    description: `${description}\n\n${ONCE}`.trim(),
    responses: mapValues(responses, (response) => {
      if (response === first) return response;
      const { headers = {}, ...rest } = response;
      const own = Object.entries(headers).filter(([name]) => !names.has(name));
      return own.length === 0 ? rest : { ...rest, headers: Object.fromEntries(own) };
    }),
  };
}

function mapValues<T>(record: Named<T>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
