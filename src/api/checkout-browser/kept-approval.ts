import type { Approved } from './checkout-api.ts';
import { facts } from './page.ts';

// Stores the approval for a reload in the same tab. If the browser cannot store it (site data
// blocked, storage full), the open page still works.

const name = `dues:${facts.session}`;

export function keepApproval(approved: Approved): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(approved));
  } catch {
    // Not stored.
  }
}

export function keptApproval(): Approved | null {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null');
  } catch {
    return null;
  }
}

export function forgetApproval(): void {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Nothing was stored.
  }
}
