export interface SetCookie {
  readonly name: string;
  readonly value: string;
  /** Keyed by name in lower case. Attributes without a value are empty. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** A `Set-Cookie` header as a browser reads it: https://www.rfc-editor.org/rfc/rfc6265#section-5.2 */
export function parseSetCookie(header: string): SetCookie {
  const [pair = '', ...rest] = header.split(';');
  const [name = '', value = ''] = splitPair(pair);
  const attributes = rest.map(splitPair).map(([key = '', text = '']) => [key.toLowerCase(), text]);
  return { name, value, attributes: Object.fromEntries(attributes) };
}

function splitPair(pair: string): string[] {
  const separator = pair.indexOf('=');
  return (separator < 0 ? [pair, ''] : [pair.slice(0, separator), pair.slice(separator + 1)]).map((half) =>
    half.trim(),
  );
}
