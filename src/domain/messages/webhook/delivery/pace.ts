import { Prisma } from '../../../../generated/prisma/client.ts';

/**
 * The time by which attempts may begin earlier than the endpoint's rate: a tenth of a second, or
 * the time of one attempt if that is longer. `w` is the endpoint.
 */
export const PACE_AHEAD = Prisma.sql`greatest(interval '1 second' / w."maxPerSecond", interval '100 milliseconds')`;
