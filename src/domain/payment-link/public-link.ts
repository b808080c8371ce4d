import type { AppContext } from '../../app.ts';
import { notFound } from '../../errors.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { isId } from '../input/valid-text.ts';
import { acceptsSubscribers } from '../plan/accepts-subscribers.ts';

const whole = { include: { plan: true, merchant: true } } as const;

/** A payment link with what its page shows. */
export type LinkRecord = Prisma.PaymentLinkGetPayload<typeof whole> & {
  /** Whether it is on and its plan takes subscribers. */
  readonly isOpen: boolean;
};

/** The link of a page, without a key: it is public. @throws BillingError not_found, param `linkId` */
export async function getPublicLink(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  id: string,
): Promise<LinkRecord> {
  const link = isId(id) ? await db.paymentLink.findUnique({ where: { id }, ...whole }) : null;
  if (!link) throw notFound('payment link', 'linkId');
  return { ...link, isOpen: link.active && acceptsSubscribers(link.plan, clock.now()) };
}
