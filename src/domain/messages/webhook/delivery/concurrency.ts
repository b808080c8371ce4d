import { Prisma } from '../../../../generated/prisma/client.ts';

/**
 * Maximum attempts in flight at an endpoint, of all workers together. An overloaded endpoint gets
 * fewer, but never none. `w` is the row of the endpoint.
 */
export const CONCURRENCY = Prisma.sql`greatest(1, w."maxConcurrency" >> w."slowdown")`;
