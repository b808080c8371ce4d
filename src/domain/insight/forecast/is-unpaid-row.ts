import { Prisma } from '../../../generated/prisma/client.ts';

/** Whether a payment waits for a top-up (`isUnpaid`), in SQL over the table "Subscription" with the alias `s`. */
export const isUnpaidRow = Prisma.sql`(s."status" = 'PAST_DUE' AND s."accessUntil" IS NOT NULL)`;
