import { useSyncExternalStore } from 'react';

let aheadMs = 0;
const listeners = new Set<() => void>();

/**
 * The time that billing goes by: that of this device, unless the time of a local network was moved.
 * Components use `useBillingNow`.
 */
export function billingNow(): Date {
  return new Date(Date.now() + aheadMs);
}

/** The same at each rendering; a move of the time renders again. */
export function useBillingNow(): Date {
  useSyncExternalStore(subscribe, () => aheadMs);
  return billingNow();
}

/**
 * @param at the time of billing, ISO 8601
 * @param readAt when it was that time, in milliseconds of this device
 */
export function setBillingNow(at: string, readAt = Date.now()): void {
  aheadMs = Date.parse(at) - readAt;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
