import { expireSessions } from '../src/domain/checkout/session/expire-sessions.ts';
import type { JobHandler } from './job-handler.ts';

/** `sessions.expire`: closes expired checkout sessions. */
export const expireSessionsJob: JobHandler<'sessions.expire'> = (ctx) => expireSessions(ctx);
