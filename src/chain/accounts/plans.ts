import type { Address } from '@solana/kit';
import type { Chain } from '../chain.ts';
import { AccountLayoutError, decodePlan, type PlanAccount } from './accounts.ts';
import { PROGRAM } from './addresses.ts';
import { readAccounts } from './read-accounts.ts';

/** The current plan account; `gone` if there is none, `unreadable` if it cannot be decoded. */
export type PlanNow = PlanAccount | 'gone' | 'unreadable';

/** Reads plans, each distinct one once. */
export async function readPlans(chain: Chain, plans: readonly Address[]): Promise<Map<Address, PlanNow>> {
  const distinct = [...new Set(plans)];
  const accounts = await readAccounts(chain, distinct, 'program');
  return new Map(
    distinct.map((plan, index) => {
      const account = accounts[index];
      return [plan, account?.owner === PROGRAM ? decodeOrUnreadable(account.data) : 'gone'];
    }),
  );
}

function decodeOrUnreadable(data: Parameters<typeof decodePlan>[0]): PlanNow {
  try {
    return decodePlan(data);
  } catch (error) {
    if (error instanceof AccountLayoutError) return 'unreadable';
    throw error;
  }
}
