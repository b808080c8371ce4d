type Parser<T> = (value: unknown) => T | undefined;

/** A text; an empty one is left out. */
export const anyText: Parser<string> = (value) => {
  // The router reads `?q=12` as a number.
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return String(value).trim() || undefined;
};

/** A day: `2026-12-01`. */
export const day: Parser<string> = (value) =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined;

/** One of a list of values; any other is left out. */
export function oneOf<const Value extends string | number>(values: readonly Value[]): Parser<Value> {
  return (value) => values.find((allowed) => allowed === value);
}

/** The position of a list: see `pageVariables`. */
export const paging = { after: anyText, before: anyText };

/**
 * The search parameters of a route, for `validateSearch`. Invalid ones are left out, so that an old
 * link still opens the page.
 */
export function searchParams<Parsers extends Record<string, Parser<unknown>>>(parsers: Parsers) {
  type Search = { [Name in keyof Parsers]?: NonNullable<ReturnType<Parsers[Name]>> };
  return (raw: Record<string, unknown>): Search => {
    const entries = Object.entries(parsers).map(([name, parse]) => [name, parse(raw[name])] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Search;
  };
}

export const PAGE_SIZE = 25;

/** The variables of one page of a connection. */
export function pageVariables({ after, before }: { readonly after?: string; readonly before?: string }) {
  return before === undefined
    ? { first: PAGE_SIZE, after: after ?? null, last: null, before: null }
    : { first: null, after: null, last: PAGE_SIZE, before };
}

/** The start of a day and the start of the day after it in UTC, for `from` and `to` of a list. */
export function dayRange({ from, to }: { readonly from?: string; readonly to?: string }) {
  const nextDay = to ? new Date(Date.parse(`${to}T00:00:00Z`) + 86_400_000).toISOString() : null;
  return { from: from ? `${from}T00:00:00Z` : null, to: nextDay };
}
