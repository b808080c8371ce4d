/** Maximum refunds of a payment, in any status. */
export const MOST_REFUNDS = 50;
