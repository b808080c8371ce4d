import type { Approved } from './checkout-api.ts';

// Stores the approval for a reload in the same tab. If the browser cannot store it (site data
// blocked, storage full), the open page still works.

const nameOf = (sessionId: string) => `dues:/api/checkout/${sessionId}`;

export function keepApproval(sessionId: string, approved: Approved): void {
  try {
    sessionStorage.setItem(nameOf(sessionId), JSON.stringify(approved));
  } catch {
    // Not stored.
  }
}

export function keptApproval(sessionId: string): Approved | null {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(sessionId)) ?? 'null');
  } catch {
    return null;
  }
}

export function forgetApproval(sessionId: string): void {
  try {
    sessionStorage.removeItem(nameOf(sessionId));
  } catch {
    // Nothing was stored.
  }
}
