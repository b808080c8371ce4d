/** Every change that the audit log tells of, as `resource.verb`; what `targetId` names stands beside it. */
export const auditActions = [
  // The merchant's id.
  'merchant.created',
  'merchant.updated',
  // The member's wallet.
  'member.invited',
  'member.role_changed',
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
  'endpoint.tested',
  // The event's id.
  'event.triggered',
  // The delivery's id, or the endpoint's where several were sent again.
  'delivery.replayed',
  // The merchant's own id of the plan.
  'plan.created',
  'plan.updated',
  // The merchant's id.
  'settings.updated',
  // Our id of the subscription.
  'subscription.cancelled',
] as const;

export type AuditAction = (typeof auditActions)[number];
