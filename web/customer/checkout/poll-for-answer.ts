import { ApiError } from '../../shared/api/api-error.ts';
import { checkout } from '../../shared/text/checkout.ts';

const CONFIRMED_TIMEOUT_MS = 90_000;
const RETRY_INTERVAL_MS = 2_000;
const TEMPORARY_CODES = ['rate_limit_exceeded', 'internal_error', 'unreachable'];

/** An error whose message is shown to the customer. */
export class NotApproved extends Error {}

/**
 * Calls `ask` until it returns a value, and retries errors that may be temporary.
 *
 * @throws NotApproved after 90 seconds; the error of `ask` if it is not temporary
 */
export async function pollForAnswer<T>(ask: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + CONFIRMED_TIMEOUT_MS;
  for (;;) {
    const answer = await ask().catch((error: unknown) => {
      if (isTemporary(error)) return null;
      throw error;
    });
    if (answer !== null) return answer;
    if (performance.now() > deadline) throw new NotApproved(checkout.problems.notConfirmed);
    await new Promise((resolve) => setTimeout(resolve, RETRY_INTERVAL_MS));
  }
}

/** Whether an error is temporary: no network, or an error that does not concern the approval. */
function isTemporary(error: unknown): boolean {
  return !(error instanceof ApiError) || TEMPORARY_CODES.includes(error.code);
}
