/** Where in a subscription's account stands what was pulled of the period. */
export const PULLED_AT = 131;
/** Where it says when it ends, once it is cancelled. */
export const EXPIRES_AT = 147;
