import { z } from '@hono/zod-openapi';
import type { Plan } from '../../generated/prisma/client.ts';

/** A plan in the format of the contract: numbers are strings. */
export const planTerms = z
  .object({
    planId: z.string(),
    planName: z.string(),
    description: z.string().nullable(),
    amount: z.string().openapi({ description: 'Price of one interval, in base units of the token' }),
    interval: z.string().openapi({ description: 'Billing interval in seconds, as a string' }),
    trialPeriodSeconds: z.string().openapi({
      description:
        'Seconds before the first payment, as a string; `0` without a trial. For a checkout whose wallet is known, `0` if the wallet has already had the trial',
    }),
    mint: z.string().openapi({ description: 'Mint of the payment token, in base58' }),
  })
  .openapi('Plan');

type Terms = Pick<
  Plan,
  'planId' | 'name' | 'description' | 'amount' | 'intervalSeconds' | 'trialPeriodSeconds' | 'mint'
>;

export function toPlanTerms(plan: Terms): z.infer<typeof planTerms> {
  const { planId, name, description, amount, intervalSeconds, trialPeriodSeconds, mint } = plan;
  return {
    planId,
    planName: name,
    description,
    amount: String(amount),
    interval: String(intervalSeconds),
    trialPeriodSeconds: String(trialPeriodSeconds),
    mint,
  };
}
