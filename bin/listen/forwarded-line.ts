import { styleText } from 'node:util';
import type { PostResult } from '../../src/domain/messages/webhook/post/post-webhook.ts';
import type { FollowedEvent } from './follow-events.ts';

const TYPE_WIDTH = 'subscription.payment_succeeded'.length;

/** One line per posted event: time, type, subscription, response, duration, id. */
export function forwardedLine(
  at: Date,
  { id, type, data }: FollowedEvent,
  {
    statusCode,
    error,
    durationMs,
  }: Pick<PostResult, 'statusCode' | 'error'> & { readonly durationMs: number },
  { isResent }: { readonly isResent: boolean },
): string {
  const subscription = 'subscriptionId' in data ? data.subscriptionId : '-';
  const status =
    error === null ? styleText('green', String(statusCode)) : styleText('red', `failed: ${error}`);
  const notes = [status, `${durationMs} ms`, styleText('dim', id), ...(isResent ? ['sent again'] : [])];
  return [at.toTimeString().slice(0, 8), type.padEnd(TYPE_WIDTH), subscription, ...notes].join('  ');
}
