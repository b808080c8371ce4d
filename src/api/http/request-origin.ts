import type { Context } from 'hono';
import type { ApiEnv } from './api-env.ts';

/** Where a request comes from, as the audit log records it. */
export function requestOriginOf<E extends ApiEnv>(c: Context<E>) {
  return {
    ipAddress: c.get('address'),
    userAgent: c.req.header('user-agent'),
    requestId: c.get('requestId'),
  };
}
