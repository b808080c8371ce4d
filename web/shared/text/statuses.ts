/** The name of each status. */
export const statuses = {
  ACTIVE: 'Active',
  PAST_DUE: 'Past due',
  CANCELLED: 'Cancelled',
  EXPIRED: 'Expired',
  DUE: 'Due',
  SUCCEEDED: 'Succeeded',
  FAILED: 'Failed',
  MISSED: 'Missed',
  WAIVED: 'Waived',
  DRAFT: 'Draft',
  INACTIVE: 'Closed',
  PENDING: 'Pending',
  QUEUED: 'Waiting',
  SENT: 'Sent',
  DROPPED: 'Not sent',
  ENABLED: 'Enabled',
  DISABLED: 'Disabled',
  DELETED: 'Deleted',
} as const;

/** Whether a token account of the merchant can receive payments. */
export const receivingStates = {
  READY: 'In use',
  MISSING: 'Not created yet',
  FROZEN: 'Frozen by the token’s issuer',
  REQUIRES_MEMO: 'Requires a memo',
  CONFIDENTIAL: 'Only confidential transfers',
  UNREADABLE: 'Cannot be read',
  OTHER_OWNER: 'Belongs to another wallet',
  HAS_DELEGATE: 'Another account may spend from it',
  HAS_CLOSE_AUTHORITY: 'Another account may close it',
} as const;

/** Problems of a plan: what is wrong, and what to do where the merchant can help. */
export const planProblems = {
  MINT_HAS_HOOK:
    'Transfers of the token now call a program of its issuer (a transfer hook), which is not supported.',
  MINT_PAUSED: 'The token’s issuer has stopped all transfers.',
  MINT_TAKES_FEE: 'The token’s issuer keeps a part of each transfer, so payments would not arrive in full.',
  NOT_FOUND: 'Its account is gone from the chain, so nothing can be collected.',
  NOT_OUR_PLAN_TO_PULL: 'dues is no longer allowed to collect for it. Add the collector on chain again.',
  OTHER_DESTINATION: 'On chain, it pays an account that is not yours.',
  RECEIVER_CONFIDENTIAL:
    'Your token account accepts only confidential transfers. Allow other transfers again.',
  RECEIVER_FROZEN: 'Your token account is frozen by the token’s issuer.',
  RECEIVER_MISSING: 'Your token account is closed. Create it again under Settings, Receiving accounts.',
  RECEIVER_REQUIRES_MEMO: 'Your token account requires a memo with every transfer. Switch that off.',
  RECEIVER_UNREADABLE: 'Your token account cannot be read.',
  UNREADABLE: 'Its account on chain cannot be read.',
} as const;

/** Why a payment failed. */
export const failures = {
  ACCOUNT_CLOSED: 'Token account closed',
  ACCOUNT_FROZEN: 'Token account frozen',
  APPROVAL_REVOKED: 'Approval revoked',
  INSUFFICIENT_FUNDS: 'Balance too low',
} as const;
