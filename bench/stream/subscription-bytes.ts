/** Offset of the amount pulled in the period, in a subscription's account. */
export const PULLED_AT = 131;
/** Offset of the end of a cancelled subscription. */
export const EXPIRES_AT = 147;
