import './mutations/cancel-subscription.ts';
import './mutations/complete-checkout.ts';
import './mutations/create-checkout-session.ts';
import './mutations/create-plan.ts';
import './mutations/create-webhook-endpoint.ts';
import './mutations/publish-plan-transaction.ts';
import './live/checkout-session-updated.ts';
import './live/payment-recorded.ts';
import './live/subscription-updated.ts';
import './types/checkout-session.ts';
import './types/customer.ts';
import './types/merchant.ts';
import './types/payment.ts';
import './types/plan.ts';
import './types/scalars.ts';
import './types/subscription.ts';
import './types/subscription-queries.ts';
import { builder } from './builder.ts';

/** The whole API; each file above adds its part to the builder. */
export const schema = builder.toSchema({ sortSchema: true });
