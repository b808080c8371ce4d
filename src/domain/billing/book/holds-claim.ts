/**
 * Whether a claim on a locked subscription is still valid. A worker whose claim has expired must
 * not record a failure or send: another worker may do the same.
 *
 * @param time the claim time, from `readClaimTime`
 */
export function holdsClaim(
  subscription: { readonly claimedUntil: Date | null },
  claimedUntil: Date | null | undefined,
  time: Date,
): boolean {
  if (!claimedUntil || claimedUntil <= time) return false;
  return subscription.claimedUntil?.getTime() === claimedUntil.getTime();
}
