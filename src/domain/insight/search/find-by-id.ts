import type { Db } from '../../../db/db.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import {
  customerHit,
  discountHit,
  PLAN_AND_CUSTOMER,
  paymentHit,
  type SearchHit,
  subscriptionHit,
} from './search-hit.ts';

/** The objects with this UUID. */
export async function findById(db: Db, { merchantId, environment }: Scope, id: string): Promise<SearchHit[]> {
  const where = { id, merchantId, environment };
  const [customer, subscription, payment, event, endpoint, delivery, key, discount] = await Promise.all([
    db.customer.findFirst({ where }),
    db.subscription.findFirst({ where, include: PLAN_AND_CUSTOMER }),
    db.payment.findFirst({ where, include: { subscription: { include: PLAN_AND_CUSTOMER } } }),
    db.event.findFirst({ where }),
    db.webhookEndpoint.findFirst({ where: { ...where, status: { not: 'DELETED' } } }),
    db.delivery.findFirst({ where, include: { event: true, endpoint: true } }),
    db.apiKey.findFirst({ where }),
    db.discount.findFirst({ where }),
  ]);
  return [
    ...(customer ? [customerHit(customer)] : []),
    ...(subscription ? [subscriptionHit(subscription)] : []),
    ...(payment ? [paymentHit(payment)] : []),
    ...(event ? [hit('EVENT', event, event.type)] : []),
    ...(endpoint ? [hit('WEBHOOK_ENDPOINT', endpoint, endpoint.url)] : []),
    ...(delivery ? [hit('WEBHOOK_DELIVERY', delivery, delivery.event.type, delivery.endpoint.url)] : []),
    ...(key ? [hit('API_KEY', key, key.name, key.lastFour)] : []),
    ...(discount ? [discountHit(discount)] : []),
  ];
}

function hit(
  kind: SearchHit['kind'],
  { id, createdAt }: Pick<SearchHit, 'id' | 'createdAt'>,
  label: string,
  detail: string | null = null,
): SearchHit {
  return { kind, id, label, detail, createdAt };
}
