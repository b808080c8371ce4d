import type { AppContext } from '../../../app.ts';
import { BillingError, invalidRequest, notFound } from '../../../errors.ts';
import { acceptsSubscribers } from '../../catalog/plan/accepts-subscribers.ts';
import { findSession, type SessionRecord } from './get-checkout-session.ts';

/**
 * A session with which its customer can still subscribe.
 *
 * @throws BillingError not_found, session_expired or invalid_request (completed), param
 *   `sessionId`; plan_inactive
 */
export async function requireOpenSession(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  sessionId: string,
): Promise<SessionRecord> {
  const session = await findSession(ctx, sessionId);
  if (!session) throw notFound('checkout session', 'sessionId');
  if (session.status === 'EXPIRED') {
    throw new BillingError('session_expired', 'The checkout session has expired.', 'sessionId');
  }
  if (session.status === 'COMPLETED') throw invalidRequest('sessionId', 'The session is already completed.');
  if (!acceptsSubscribers(session.plan, ctx.clock.now())) {
    throw new BillingError('plan_inactive', 'The plan is no longer active.');
  }
  return session;
}
