// The discounts of each merchant, and the judge of their limits.
import type { Merchant } from '../tools/world/merchant.ts';
import type { Wrong } from './judge.ts';
import { PRICE, REDUCED } from './schedule.ts';

/** What each discount has beside half of the price. */
const TERMS = {
  /** A code for one customer. */
  SCARCE: { code: 'SCARCE', periods: 1, maxRedemptions: 1 },
  /** Given to each customer once. */
  ONCE: { periods: 1, maxPerCustomer: 1 },
  /** Applied by the merchant, like those below. */
  ONE: { periods: 1 },
  TWICE: { periods: 2 },
  ALWAYS: {},
} as const;

export type DiscountName = keyof typeof TERMS;

const WHOLE_BPS = 10_000n;

/** Creates the discounts of a merchant. */
export async function createDiscounts({
  backend,
  discounts,
}: {
  readonly backend: Merchant;
  readonly discounts: Map<string, string>;
}): Promise<void> {
  const percentBps = Number((REDUCED * WHOLE_BPS) / PRICE);
  for (const [name, terms] of Object.entries(TERMS)) {
    const id = await backend.createDiscount({ name, percentBps, ...terms });
    discounts.set(name, id);
  }
}

/** A checkout that a wallet of a merchant's customer signed. */
export interface DiscountUse {
  readonly wallet: string;
  readonly discount: DiscountName | undefined;
  readonly hasSecondDiscount: boolean;
}

/**
 * Compares what wallets signed, and what dues counts, with the limits.
 *
 * @param taken the number of uses that dues answers, by discount
 */
export function judgeDiscounts(
  uses: readonly DiscountUse[],
  taken: Readonly<Partial<Record<DiscountName, number>>>,
): Wrong[] {
  const wrong: Wrong[] = [];
  const { maxRedemptions } = TERMS.SCARCE;
  const scarce = uses.filter(({ discount }) => discount === 'SCARCE');
  const count = Math.max(scarce.length, taken.SCARCE ?? 0);
  if (count > maxRedemptions) {
    const detail = `SCARCE: signed by ${scarce.map(({ wallet }) => wallet)}, ${taken.SCARCE} by dues; the limit is ${maxRedemptions}`;
    wrong.push({ what: 'discount limit', detail });
  }
  const once = uses.filter(({ discount }) => discount === 'ONCE');
  for (const [wallet, ofOne] of Map.groupBy(once, (use) => use.wallet)) {
    if (ofOne.length <= TERMS.ONCE.maxPerCustomer && !ofOne[0]?.hasSecondDiscount) continue;
    wrong.push({ what: 'discount limit of a customer', detail: `ONCE: ${wallet} got it twice` });
  }
  return wrong;
}
