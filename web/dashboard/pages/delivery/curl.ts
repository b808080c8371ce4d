interface WebhookRequest {
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
}

/**
 * A command of a POSIX shell that repeats a request, with the same headers and the same bytes. With
 * `-g`, curl gives `[]` and `{}` in the URL no meaning.
 */
export function curlOf({ url, headers, body }: WebhookRequest): string {
  const sent = headers.map(({ name, value }) => `-H ${quote(`${name}: ${value}`)}`);
  return [`curl -g -i ${quote(url)}`, ...sent, `--data-raw ${quote(body)}`].join(' \\\n  ');
}

/** Quotes a text for a POSIX shell, which reads nothing between single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
