import { z } from 'zod';
import { Environment, PlanProblem, type Prisma } from '../../../generated/prisma/client.ts';
import type { TemplateName } from './templates.ts';

const event = z.object({ eventId: z.uuid() });
const payment = z.object({ subscriptionId: z.uuid(), dueAt: z.iso.datetime() });

/** The data stored with a mail, by template: only what its event and other rows do not contain. */
const CONTENTS = {
  RECEIPT: event,
  PAYMENT_FAILED: event,
  REFUND: event,
  CANCELLED: event,
  PAUSED: event,
  EXPIRED: event,
  FIRST_SALE: event,
  ENDPOINT_DISABLED: event,
  RENEWAL_REMINDER: payment,
  TRIAL_ENDS: payment,
  PAUSE_ENDS: payment,
  /** The link, encrypted, in base64. */
  // Rows of version 0.1.0 have no time in it.
  PORTAL_LINK: z.object({ link: z.base64(), expiresAt: z.iso.datetime().optional() }),
  ENDPOINT_FAILING: z.object({ endpointId: z.uuid(), failingSince: z.iso.datetime() }),
  PLAN_PROBLEM: z.object({ planRowId: z.uuid(), problem: z.enum(PlanProblem) }),
  /** The fee that begins with an epoch, and the epoch in which dues saw it. */
  FEE_SCHEDULED: z.object({
    planRowId: z.uuid(),
    basisPoints: z.int(),
    fromEpoch: z.string(),
    epoch: z.string(),
  }),
  COLLECTOR_LOW: z.object({
    environment: z.enum(Environment),
    address: z.string(),
    lamports: z.string(),
    daysLeft: z.number().nullable(),
    canPay: z.boolean(),
    // Rows of version 0.2.0 are always about a collector.
    isFeePayer: z.boolean().default(false),
  }),
} as const satisfies Record<TemplateName, z.ZodType>;

export type RowContent<T extends TemplateName> = z.infer<(typeof CONTENTS)[T]>;

/** Reads the data stored with a mail. @throws ZodError if another release wrote it differently */
export function readContent<T extends TemplateName>(template: T, content: Prisma.JsonValue): RowContent<T> {
  return CONTENTS[template].parse(content) as RowContent<T>;
}
