import type { AppContext } from '../../../app.ts';
import { notFound } from '../../../errors.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import { acceptsSubscribers } from '../../catalog/plan/accepts-subscribers.ts';
import { isId } from '../../kernel/input/valid-text.ts';

const relations = { include: { plan: true, merchant: true } } as const;

/** A payment link with its plan and merchant, for its page. */
export type LinkRecord = Prisma.PaymentLinkGetPayload<typeof relations> & {
  /** Whether the link is on and its plan accepts subscribers. */
  readonly isOpen: boolean;
};

/** A payment link for its public page. @throws BillingError not_found, param `linkId` */
export async function getPublicLink(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  id: string,
): Promise<LinkRecord> {
  const link = isId(id) ? await db.paymentLink.findUnique({ where: { id }, ...relations }) : null;
  if (!link) throw notFound('payment link', 'linkId');
  return { ...link, isOpen: link.active && acceptsSubscribers(link.plan, clock.now()) };
}
