import type { IncomingMessage } from 'node:http';

/**
 * Converts the media type of a request to lower case. Media types are case-insensitive
 * (https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1), but some code here compares them exactly.
 */
export function lowerCaseMediaType({ headers, rawHeaders }: IncomingMessage): void {
  const type = headers['content-type'];
  if (type === undefined) return;
  const [mediaType = ''] = type.split(';', 1);
  const lowerCase = mediaType.toLowerCase() + type.slice(mediaType.length);
  if (lowerCase === type) return;
  headers['content-type'] = lowerCase;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'content-type') rawHeaders[at + 1] = lowerCase;
  }
}
