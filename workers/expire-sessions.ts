import { expireSessions } from '../src/domain/checkout/expire-sessions.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

/** `sessions.expire`: closes the checkout sessions whose time is over. */
export const expireSessionsJob: JobHandler<'sessions.expire'> = (ctx) => expireSessions(ctx);
