import { useSyncExternalStore } from 'react';

/** Smaller differences are the time of a request, and whole seconds of the cluster's clock. */
const MIN_CHANGE_MS = 3_000;

let aheadMs = 0;
const listeners = new Set<() => void>();

/**
 * The time that billing uses: this device's time, unless the time of a local network was advanced.
 * Components use `useBillingNow`.
 */
export function billingNow(): Date {
  return new Date(Date.now() + aheadMs);
}

/** Returns `billingNow()`, and renders again when the time is advanced. */
export function useBillingNow(): Date {
  useSyncExternalStore(subscribe, () => aheadMs);
  return billingNow();
}

/**
 * @param at the billing time, ISO 8601
 * @param readAt this device's time when `at` was read, in milliseconds
 */
export function setBillingNow(at: string, readAt = Date.now()): void {
  const newAheadMs = Date.parse(at) - readAt;
  if (Math.abs(newAheadMs - aheadMs) < MIN_CHANGE_MS) return;
  aheadMs = newAheadMs;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
