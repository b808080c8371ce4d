import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isAllowedHost, isRefusedLiteral, publicLookup, RefusedAddressError } from './address-guard.ts';

/** Of a response, this much is kept; the rest is not read. */
const KEPT_BYTES = 4096;

export interface PostInput {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly hostsAllowed: readonly string[];
  /** For everything: looking up, connecting, sending, reading. */
  readonly timeoutMs: number;
}

/** What came of one HTTP try. `error` is in words for the merchant, and null where it succeeded. */
export interface PostResult {
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly responseBody: string | null;
}

/**
 * Posts to a URL that a stranger chose. Never rejects: whatever goes wrong is the try's outcome. The status decides:
 * once it says 2xx the receiver has the event, however it ends its answer.
 */
export async function postWebhook(input: PostInput): Promise<PostResult> {
  const signal = AbortSignal.timeout(input.timeoutMs);
  try {
    const response = await send(input, signal);
    const statusCode = response.statusCode as number;
    const responseBody = await readStart(response);
    return { statusCode, error: problemOf(statusCode), responseBody };
  } catch (error) {
    const words = signal.aborted ? `no answer within ${input.timeoutMs / 1000} s` : wordsFor(error);
    return { statusCode: null, error: words, responseBody: null };
  }
}

async function send(input: PostInput, signal: AbortSignal): Promise<IncomingMessage> {
  const url = new URL(input.url);
  const allowed = isAllowedHost(url, input.hostsAllowed);
  if (!allowed && isRefusedLiteral(url)) throw new RefusedAddressError(url.hostname);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request: ClientRequest = (url.protocol === 'https:' ? httpsRequest : httpRequest)(
    url,
    {
      method: 'POST',
      headers: { ...input.headers, 'content-length': Buffer.byteLength(input.body) },
      // A connection of its own: one that is kept open would be to an address that was checked long ago.
      agent: false,
      signal,
      ...(allowed ? {} : { lookup: publicLookup }),
    },
    resolve,
  );
  request.on('error', reject);
  request.end(input.body);
  return promise;
}

async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= KEPT_BYTES) break;
    }
  } catch {
    // It broke off, or the time is up: what came is kept, and the status has said all that counts.
  } finally {
    response.destroy();
  }
  // PostgreSQL keeps no NUL in text.
  return Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '\u{fffd}');
}

function problemOf(statusCode: number): string | null {
  if (statusCode >= 200 && statusCode < 300) return null;
  if (statusCode >= 300 && statusCode < 400) return `answered ${statusCode}: redirects are not followed`;
  return `answered ${statusCode}`;
}

function wordsFor(error: unknown): string {
  if (error instanceof RefusedAddressError) return error.message;
  // Codes only: messages hold addresses of our own network.
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code ? `no connection: ${code}` : 'no connection';
}
