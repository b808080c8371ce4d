import './mutations/cancel-subscription.ts';
import './mutations/change-member-role.ts';
import './mutations/choose-merchant.ts';
import './mutations/complete-checkout.ts';
import './mutations/create-api-key.ts';
import './mutations/create-checkout-session.ts';
import './mutations/create-plan.ts';
import './mutations/create-webhook-endpoint.ts';
import './mutations/delete-webhook-endpoint.ts';
import './mutations/replay-webhooks.ts';
import './mutations/resend-event.ts';
import './mutations/resend-webhook.ts';
import './mutations/rotate-webhook-secret.ts';
import './mutations/send-test-webhook.ts';
import './mutations/trigger-event.ts';
import './mutations/update-webhook-endpoint.ts';
import './mutations/invite-member.ts';
import './mutations/publish-plan-transaction.ts';
import './mutations/remove-member.ts';
import './mutations/sign-in.ts';
import './mutations/sign-in-input.ts';
import './mutations/sign-out.ts';
import './mutations/update-merchant-profile.ts';
import './mutations/sunset-plan-transaction.ts';
import './mutations/update-settings.ts';
import './mutations/revoke-api-key.ts';
import './mutations/rotate-api-key.ts';
import './live/checkout-session-updated.ts';
import './live/events.ts';
import './live/events-resent.ts';
import './live/payment-recorded.ts';
import './live/subscription-updated.ts';
import './live/webhook-delivery-updated.ts';
import './types/api-key.ts';
import './types/audit-entry.ts';
import './types/checkout-session.ts';
import './types/customer.ts';
import './types/customer-queries.ts';
import './types/event.ts';
import './types/member.ts';
import './types/merchant.ts';
import './types/metrics.ts';
import './types/payment.ts';
import './types/plan.ts';
import './types/scalars.ts';
import './types/settings.ts';
import './types/subscription.ts';
import './types/subscription-history.ts';
import './types/subscription-queries.ts';
import './types/viewer.ts';
import { GraphQLSchema, specifiedDirectives } from 'graphql';
import { builder } from './builder.ts';
import { requiresScopeDirective } from './required-scope.ts';
import { ApiKeyScope } from './types/api-key.ts';

/** The whole API; each file above adds its part to the builder. */
export const schema = withDirectives(builder.toSchema({ sortSchema: true }));

// The directive names an enum, which the builder makes only together with the whole schema.
function withDirectives(built: GraphQLSchema): GraphQLSchema {
  const directive = requiresScopeDirective(built.getType(ApiKeyScope.name));
  return new GraphQLSchema({ ...built.toConfig(), directives: [...specifiedDirectives, directive] });
}
