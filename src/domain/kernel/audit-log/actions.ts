/**
 * All actions of the audit log, as `resource.verb`. The comment before each group names its
 * `targetId`.
 */
export const auditActions = [
  // The merchant's id.
  'merchant.created',
  'merchant.updated',
  'onboarding.dismissed',
  // The member's wallet.
  'member.invited',
  'member.role_changed',
  'member.renamed',
  'member.removed',
  'member.signed_in',
  'member.signed_out',
  'member.signed_out_everywhere',
  // The key's id.
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  // The endpoint's id.
  'endpoint.created',
  'endpoint.updated',
  'endpoint.deleted',
  'endpoint.secret_rotated',
  'endpoint.secret_overlap_ended',
  'endpoint.tested',
  // The event's id.
  'event.triggered',
  // The delivery's id; for a replay of several, the endpoint's id.
  'delivery.replayed',
  // The merchant's id of the plan.
  'plan.created',
  'plan.updated',
  'plan.deleted',
  'price.created',
  'price.retired',
  // The discount's id.
  'discount.created',
  'discount.updated',
  // The link's id.
  'payment_link.created',
  'payment_link.updated',
  // Our id of the customer.
  'customer.updated',
  'portal_session.created',
  // The merchant's id.
  'settings.updated',
  'mail_settings.updated',
  // The mint.
  'receiving_accounts.updated',
  // The environment.
  'test_clock.advanced',
  // The number of the restore.
  'restore.checked',
  // Our id of the subscription.
  'subscription.cancelled',
  'subscription.cancellation_undone',
  'subscription.paused',
  'subscription.unpaused',
  'payment.waived',
  'subscription.discount_applied',
  'subscription.discount_removed',
  'payment.retried',
  // Our id of the refund.
  'refund.created',
  'refund.cancelled',
] as const;

export type AuditAction = (typeof auditActions)[number];
