import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { systemClock } from '../../../clock.ts';
import { isAllowedHost, isPublicAddress, RefusedAddressError } from './address-guard.ts';
import type { Connections } from './connections.ts';
import { wordsForFailure } from './failure-words.ts';
import { retryAfterMs } from './retry-after.ts';
import { problemOfUrl, type UrlRules } from './webhook-url.ts';

/** How long a receiver may take for everything. */
export const TIMEOUT_MS = 15_000;
/** Of a response, this much is kept. */
const KEPT_BYTES = 4096;
/** An answer that is longer is not read to its end. */
const MAX_BYTES = 1_048_576;

export interface PostInput extends UrlRules {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For everything: looking up, connecting, sending, reading. */
  readonly timeoutMs: number;
}

/** What came of one HTTP try. `error` is in words for the merchant, and null where it succeeded. */
export interface PostResult {
  /** Null where no answer began. */
  readonly statusCode: number | null;
  readonly error: string | null;
  /** Its first 4 kB as text; null where no answer began. */
  readonly responseBody: string | null;
  /** What the answer's `Retry-After` asks for; null where it has none. */
  readonly retryAfterMs: number | null;
  readonly isTimedOut: boolean;
}

/** The `error` of a try that its sender broke off: it says nothing of the receiver. */
export const CUT_OFF = 'cut off: the sender was stopped';

/** Posts to a URL that a stranger chose. Never rejects: whatever goes wrong is the try's outcome. */
export async function postWebhook(connections: Connections, input: PostInput): Promise<PostResult> {
  const problem = problemOfUrl(input.url, input);
  if (problem) return failed(`the URL ${problem}`);
  const deadline = new Deadline(input.timeoutMs);
  try {
    const response = await send(connections, input, deadline);
    const { text, trouble } = await readStart(response, deadline);
    const statusCode = response.statusCode as number;
    return {
      statusCode,
      error: problemOf(statusCode) ?? (trouble === null ? null : `answered ${statusCode}, but ${trouble}`),
      responseBody: text,
      retryAfterMs: retryAfterMs(response.headers['retry-after'], systemClock.now()),
      isTimedOut: deadline.isOver,
    };
  } catch (error) {
    if (deadline.isOver) return { ...failed(`no answer within ${deadline.seconds} s`), isTimedOut: true };
    return failed(connections.isClosed ? CUT_OFF : wordsForFailure(error));
  } finally {
    deadline.clear();
  }
}

function failed(error: string): PostResult {
  return { statusCode: null, error, responseBody: null, retryAfterMs: null, isTimedOut: false };
}

/** Destroys whatever is under way when the time is up. */
class Deadline {
  readonly seconds: number;
  isOver = false;
  #underWay: ClientRequest | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(timeoutMs: number) {
    this.seconds = timeoutMs / 1000;
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#underWay?.destroy();
    }, timeoutMs);
  }

  covers(request: ClientRequest): void {
    this.#underWay = request;
    if (this.isOver) request.destroy();
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

async function send(
  connections: Connections,
  input: PostInput,
  deadline: Deadline,
): Promise<IncomingMessage> {
  const url = new URL(input.url);
  const guarded = !isAllowedHost(url, input.hostsAllowed);
  const { publicLookup: lookup } = connections;
  const kept = ask(url, input, deadline, { agent: connections.agentFor(url, { guarded }), lookup, guarded });
  try {
    return await kept.response;
  } catch (error) {
    // The receiver closed a connection that had been idle while we took it up again: that says nothing about this try.
    if (!kept.request.reusedSocket || deadline.isOver || connections.isClosed || !isReset(error)) throw error;
    return ask(url, input, deadline, { agent: false, lookup, guarded }).response;
  }
}

function ask(
  url: URL,
  { headers, body }: PostInput,
  deadline: Deadline,
  { agent, lookup, guarded }: { agent: Agent | false; lookup: LookupFunction; guarded: boolean },
) {
  const { promise: response, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(
    url,
    {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent,
      ...(guarded ? { lookup } : {}),
    },
    resolve,
  );
  request.on('error', reject);
  // One that is taken up again was checked when it was dialled; nothing is sent on the strength of a memory.
  request.on('socket', ({ remoteAddress }: Socket) => {
    const isRefused = guarded && remoteAddress !== undefined && !isPublicAddress(remoteAddress);
    if (isRefused) request.destroy(new RefusedAddressError(url.hostname));
  });
  deadline.covers(request);
  request.end(body);
  return { request, response };
}

function isReset(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Reads to the end, so that the connection can be used again, unless that is too far or takes too long. */
async function readStart(
  response: IncomingMessage,
  deadline: Deadline,
): Promise<{ text: string; trouble: string | null }> {
  const kept: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (length < KEPT_BYTES) kept.push(chunk);
      length += chunk.length;
      if (length > MAX_BYTES) break;
    }
  } catch {
    // It broke off: what came is kept, and the status has said all that counts, unless it was we who lost patience.
  }
  // PostgreSQL keeps no NUL in text.
  const text = Buffer.concat(kept).subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '\u{fffd}');
  if (length > MAX_BYTES) return { text, trouble: `with more than ${MAX_BYTES / 1_048_576} MB` };
  return { text, trouble: deadline.isOver ? `did not end within ${deadline.seconds} s` : null };
}

function problemOf(statusCode: number): string | null {
  if (statusCode >= 200 && statusCode < 300) return null;
  if (statusCode >= 300 && statusCode < 400) return `answered ${statusCode}: redirects are not followed`;
  return `answered ${statusCode}`;
}
