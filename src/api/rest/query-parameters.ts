import { z } from '@hono/zod-openapi';
import { isKnownYear } from '../../domain/kernel/input/time-filter.ts';
import { isStorable } from '../../domain/kernel/input/valid-text.ts';

const TIME_RULE = 'must be an ISO 8601 time with a time zone, in the years 0001 to 9999';
const time = z.iso
  .datetime({ offset: true, error: TIME_RULE })
  .transform((text) => new Date(text))
  .refine(isKnownYear, TIME_RULE);

/** Query parameters for a range of creation times. */
export const createdRange = {
  from: time.optional().openapi({
    description: 'Only rows created (receipts: issued) at this time or later. ISO 8601 with a time zone',
  }),
  to: time.optional().openapi({
    description: 'Only rows created (receipts: issued) before this time. ISO 8601 with a time zone',
  }),
};

/** Schema of any text that the database can compare. */
export const word = z.string().refine(isStorable, 'must be valid text without NUL').optional();
export const planId = word.openapi({ description: 'Only rows of the plan with this `planId`' });
export const subscriptionId = word.openapi({
  description: 'Only rows of this subscription: its address or `lifeId`',
});
export const customer = word.openapi({
  description: 'Only rows of customers with this email or this `customerId`',
});

/** Schema of a whole number of at most 15 digits. */
export const wholeNumber = z
  .string()
  .regex(/^-?\d{1,15}$/, 'must be a whole number')
  .transform(Number);

const MAX_INT = 2_147_483_647;
const NUMBER_RULE = `must be a whole number from 1 to ${MAX_INT}`;
/** Schema of the number of a receipt. */
export const receiptNumber = z
  .string()
  .regex(/^\d{1,10}$/, NUMBER_RULE)
  .transform(Number)
  .refine((number) => number >= 1 && number <= MAX_INT, NUMBER_RULE);
