import { Prisma } from '../../../../generated/prisma/client.ts';

/**
 * An attempt may begin this much earlier than the endpoint's rate allows: a tenth of a second, or
 * the interval between two attempts if that is longer. `w` is the row of the endpoint.
 */
export const PACE_AHEAD = Prisma.sql`greatest(interval '1 second' / w."maxPerSecond", interval '100 milliseconds')`;
