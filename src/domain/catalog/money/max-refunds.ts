/** Maximum refunds of a payment, in any status. */
export const MAX_REFUNDS = 50;
