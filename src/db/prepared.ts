import { Prisma } from '../generated/prisma/client.ts';

/**
 * Begins a frequent statement that Prisma runs, so that each connection prepares it: PostgreSQL reads it
 * and makes its query plan a few times only (`db.ts`). Without it that is done at each run, which costs a
 * tenth of the statements of a charge. The text must not depend on the values, and one query plan must
 * suit all of them.
 */
export const PREPARED = Prisma.raw('/* prepared */ ');
