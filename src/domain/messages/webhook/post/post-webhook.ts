import { systemClock } from '../../../../clock.ts';
import { AnswerStart } from './answer-start.ts';
import type { Connections } from './connections.ts';
import { Deadline } from './deadline.ts';
import { messageForFailure } from './failure-message.ts';
import { retryAfterMs } from './retry-after.ts';
import { type PostInput, sendRequest } from './send-request.ts';
import { UnusableAnswerError } from './unusable-answer-error.ts';
import { problemOfUrl } from './webhook-url.ts';

/** Timeout of one delivery attempt. */
export const TIMEOUT_MS = 15_000;

/** The result of one HTTP attempt. `error` is a message for the merchant; null on success. */
export interface PostResult {
  /** Null without a response. */
  readonly statusCode: number | null;
  readonly error: string | null;
  /** The first 4 kB of the body as text; null without a response. */
  readonly responseBody: string | null;
  /** The delay in the response's `Retry-After`; null if it has none. */
  readonly retryAfterMs: number | null;
  readonly isTimedOut: boolean;
}

/** The `error` of an attempt that its sender interrupted: the endpoint did not fail. */
export const CUT_OFF = 'cut off: the sender was stopped';

/**
 * Posts to a URL that a merchant chose. Never rejects: an error is a result too. Ends at the
 * timeout, whatever the server does: nothing here waits for an event that only the server can
 * cause.
 */
export async function postWebhook(connections: Connections, input: PostInput): Promise<PostResult> {
  const problem = problemOfUrl(input.url, input);
  if (problem) return failed(`the URL ${problem}`);
  const deadline = new Deadline(input.timeoutMs, connections);
  try {
    const response = await sendRequest(connections, input, deadline);
    const answer = new AnswerStart(response);
    await deadline.limit(answer.read()).catch(() => undefined);
    const readProblem = answer.isTooLong
      ? answer.tooLongInWords
      : deadline.isOver && `did not end within ${deadline.seconds} s`;
    const statusCode = response.statusCode as number;
    return {
      statusCode,
      error: problemOf(statusCode) ?? (readProblem ? `answered ${statusCode}, but ${readProblem}` : null),
      responseBody: answer.text,
      retryAfterMs: retryAfterMs(response.headers['retry-after'], systemClock.now()),
      isTimedOut: deadline.isOver,
    };
  } catch (error) {
    if (deadline.isOver) return { ...failed(`no answer within ${deadline.seconds} s`), isTimedOut: true };
    if (connections.isClosed) return failed(CUT_OFF);
    const statusCode = error instanceof UnusableAnswerError ? error.statusCode : null;
    return { ...failed(messageForFailure(error)), statusCode };
  } finally {
    deadline.clear();
  }
}

function failed(error: string): PostResult {
  return { statusCode: null, error, responseBody: null, retryAfterMs: null, isTimedOut: false };
}

function problemOf(statusCode: number): string | null {
  if (statusCode >= 200 && statusCode < 300) return null;
  if (statusCode >= 300 && statusCode < 400) return `answered ${statusCode}: redirects are not followed`;
  return `answered ${statusCode}`;
}
