export interface SetCookie {
  readonly name: string;
  readonly value: string;
  /** By their names in lower case. Attributes without a value are empty. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** A `Set-Cookie` header as a browser reads it: https://www.rfc-editor.org/rfc/rfc6265#section-5.2 */
export function parseSetCookie(header: string): SetCookie {
  const [pair = '', ...rest] = header.split(';');
  const [name = '', value = ''] = halves(pair);
  const attributes = rest.map(halves).map(([key = '', word = '']) => [key.toLowerCase(), word]);
  return { name, value, attributes: Object.fromEntries(attributes) };
}

function halves(pair: string): string[] {
  const at = pair.indexOf('=');
  return (at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]).map((half) => half.trim());
}
