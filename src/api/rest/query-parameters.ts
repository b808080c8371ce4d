import { z } from '@hono/zod-openapi';
import { isKnownYear } from '../../domain/input/time-filter.ts';
import { isStorable } from '../../domain/input/valid-text.ts';

const MOMENT_RULE = 'must be an ISO 8601 time with a time zone, in the years 0001 to 9999';
const moment = z.iso
  .datetime({ offset: true, error: MOMENT_RULE })
  .transform((text) => new Date(text))
  .refine(isKnownYear, MOMENT_RULE);

/** A range of times of creation. */
export const createdRange = {
  from: moment
    .optional()
    .openapi({ description: 'Only rows created (receipts: given) at this time or later' }),
  to: moment.optional().openapi({ description: 'Only rows created (receipts: given) before this time' }),
};

/** Any text that the database can compare. */
export const word = z.string().refine(isStorable, 'must be valid text without NUL').optional();
export const planId = word.openapi({ description: "The merchant's id of a plan" });
export const subscriptionId = word.openapi({ description: 'Address of a subscription' });
export const customer = word.openapi({
  description: "The customer's email, or the merchant's id of the customer",
});

export const wholeNumber = z
  .string()
  .regex(/^-?\d{1,15}$/, 'must be a whole number')
  .transform(Number);

const MAX_INT = 2_147_483_647;
const NUMBER_RULE = `must be a whole number from 1 to ${MAX_INT}`;
/** The number of a receipt. */
export const receiptNumber = z
  .string()
  .regex(/^\d{1,10}$/, NUMBER_RULE)
  .transform(Number)
  .refine((number) => number >= 1 && number <= MAX_INT, NUMBER_RULE);
