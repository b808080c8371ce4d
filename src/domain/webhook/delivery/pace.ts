import { Prisma } from '../../../generated/prisma/client.ts';

/**
 * How far ahead of an endpoint's rate attempts may begin: those of a tenth of a second start
 * together, or at least one. `w` is the endpoint.
 */
export const PACE_AHEAD = Prisma.sql`greatest(interval '1 second' / w."maxPerSecond", interval '100 milliseconds')`;
