import type { Approved } from './checkout-api.ts';
import { facts } from './page.ts';

// What was approved, for a page that is loaded again in the same tab. A browser may keep nothing for us (site data blocked,
// storage full): then the page that is open goes on all the same.

const name = `dues:${facts.session}`;

export function keepApproval(approved: Approved): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(approved));
  } catch {
    // Not kept.
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
    // Nothing was kept.
  }
}
