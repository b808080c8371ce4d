import type { Context } from 'hono';
import type { ApiEnv } from './api-env.ts';

/** The address, user agent and id of a request, which the audit log records. */
export function requestOriginOf<E extends ApiEnv>(c: Context<E>) {
  return {
    ipAddress: c.get('address'),
    userAgent: c.req.header('user-agent'),
    requestId: c.get('requestId'),
  };
}
