import { Prisma } from '../../../../generated/prisma/client.ts';

// The concurrency of an endpoint is divided among visits, so that several workers deliver to it at
// the same time. Visit 0 makes the first eight attempts, visit 1 the next eight, and so on. Each has
// one job at a time, so the visits of all workers together keep to the maximum.

/** Maximum attempts in flight of a visit. */
const SHARE = 8;

/**
 * Maximum attempts in flight at an endpoint, of all workers together. An overloaded endpoint gets
 * fewer, but never none. `w` is the row of the endpoint.
 */
export const CONCURRENCY = Prisma.sql`greatest(1, w."maxConcurrency" >> w."slowdown")`;

/** The share of a visit in it, by the visit's number; zero or less if it gets none. */
export function shareOf(visit: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`least(${SHARE}::int, ${CONCURRENCY} - ${SHARE}::int * ${visit})`;
}

/** The visits that may begin when these use their whole shares: the one after each. */
export function visitsAfter(visits: ReadonlySet<number>, concurrency: number): number[] {
  const next = [...visits].map((visit) => visit + 1);
  return next.filter((visit) => !visits.has(visit) && visit * SHARE < concurrency);
}
