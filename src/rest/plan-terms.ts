import { z } from '@hono/zod-openapi';
import type { Plan } from '../generated/prisma/client.ts';

/** A plan as merchants were promised it: numbers are strings. */
export const planTerms = z
  .object({
    planId: z.string(),
    planName: z.string(),
    description: z.string().nullable(),
    amount: z.string().openapi({ description: 'Price of an interval, in base units of the asset' }),
    interval: z.string().openapi({ description: 'Seconds' }),
    trialPeriodSeconds: z.string().openapi({ description: 'Seconds before the first payment' }),
    mint: z.string().openapi({ description: 'The asset that is paid in' }),
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
