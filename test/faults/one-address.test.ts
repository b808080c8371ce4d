import { type Address, address, type KeyPairSigner, type Signature } from '@solana/kit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeSubscription } from '../../src/chain/accounts/accounts.ts';
import { subscriptionAddress } from '../../src/chain/accounts/addresses.ts';
import { unixSeconds } from '../../src/chain/chain-time.ts';
import { readTransaction } from '../../src/chain/rpc/chain-transaction.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { createDiscount } from '../../src/domain/billing/discount/create-discount.ts';
import { followTransactions } from '../../src/domain/billing/follow/follow-transactions.ts';
import { cancelSubscription } from '../../src/domain/billing/lifecycle/cancel-subscription.ts';
import { undoCancellation } from '../../src/domain/billing/lifecycle/undo-cancellation.ts';
import { seenTransaction, settleTransactions } from '../../src/domain/billing/settle/settle-transactions.ts';
import { grantFreePeriods } from '../../src/domain/billing/waive/grant-free-periods.ts';
import { pauseSubscription } from '../../src/domain/billing/waive/pause-subscription.ts';
import { unpauseSubscription } from '../../src/domain/billing/waive/unpause-subscription.ts';
import { waivePayment } from '../../src/domain/billing/waive/waive-payment.ts';
import { completeCheckout } from '../../src/domain/checkout/completion/complete-checkout.ts';
import { auditBooks } from '../../src/domain/maintenance/books-check/audit-books.ts';
import { BillingError } from '../../src/errors.ts';
import { pullInstruction } from '../../tools/world/pull-instruction.ts';
import { DAY, HOUR, PRICE, START_BALANCE, startWorld } from '../domain/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

// Random histories of one wallet and one plan: checkouts at different prices, what the wallet and the
// merchant do on chain and in dues, and what dues sees of it at once, late, or only at the end. Time also
// moves by whole days, so that a subscription begins when a period of an earlier one would.

/** The same histories in each run, so that a failure comes from a change. Another seed finds others. */
const SEED = 3;
const HISTORIES = 30;

const world = await sharedByFile(startWorld({ collectorLamports: 100_000_000_000n }));
const { ctx, db } = world;
const merchant = await world.newMerchant();
const { scope } = merchant;
const plan = await world.publishPlan(merchant);
const offers = await Promise.all(
  [1n, 2n, 3n].map(async (tenths) => {
    const terms = { name: `Offer ${tenths}`, percentBps: Number(tenths) * 1_000 };
    return {
      discountId: (await createDiscount(ctx, scope, terms)).id,
      price: PRICE - (PRICE * tenths) / 10n,
    };
  }),
);

/** What the merchant changes in dues. */
const CHANGES = {
  cancelNow: (subscription: string) => cancelSubscription(ctx, scope, { subscription, when: 'NOW' }),
  cancelAtEnd: (subscription: string) => cancelSubscription(ctx, scope, { subscription, when: 'PERIOD_END' }),
  undo: (subscription: string) => undoCancellation(ctx, scope, subscription),
  pause: (subscription: string) =>
    pauseSubscription(ctx, scope, { subscription, periods: 1, keepsAccess: false }),
  unpause: (subscription: string) => unpauseSubscription(ctx, scope, { subscription, chargeNow: false }),
  chargeNow: (subscription: string) => unpauseSubscription(ctx, scope, { subscription, chargeNow: true }),
  waive: (subscription: string) => waivePayment(ctx, scope, { subscription }),
  giveFree: (subscription: string) => grantFreePeriods(ctx, scope, { subscription, count: 1 }),
} as const;

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('checkout' as const),
      offer: fc.constantFrom(...offers),
      isCompleted: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('cancel' as const, 'cancel' as const, 'resume' as const, 'close' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom('collect' as const, 'see' as const, 'complete' as const) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('travel' as const),
      seconds: fc.constantFrom(DAY, DAY, DAY, 2 * DAY, DAY - HOUR, HOUR),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      change: fc.constantFrom(...(Object.keys(CHANGES) as (keyof typeof CHANGES)[])),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('pull' as const, 'fund' as const),
      amount: fc.constantFrom(0n, PRICE / 10n, PRICE, START_BALANCE),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** One wallet, and what the test knows of it without the books of dues. */
class History {
  readonly address: Address;
  readonly #wallet: KeyPairSigner;
  readonly #told: string[] = [];
  /** When the account on chain was created. */
  #createdAt = 0n;
  /** The prices of the checkouts that the wallet signed for that account. */
  readonly #prices = new Set<bigint>();
  /** Whether the merchant has ended the subscription in dues, and the wallet has signed no checkout since. */
  #isEnded = false;
  /** The tokens that the wallet was given, less those that were taken away again. */
  #given = START_BALANCE;
  /** The payments that were checked. */
  readonly #checked = new Set<string>();
  /** Checkouts that are signed and not completed. */
  readonly #signed: (() => Promise<void>)[] = [];
  /** Whether the merchant has pulled from a subscription that dues never knew. */
  hasUnknown = false;
  /** Pulls of the merchant that dues has not seen. */
  readonly #unseen: Signature[] = [];

  private constructor(wallet: KeyPairSigner, subscription: Address) {
    this.#wallet = wallet;
    this.address = subscription;
  }

  static async begin(): Promise<History> {
    const wallet = await world.newWallet();
    return new History(wallet, await subscriptionAddress(address(plan.address), wallet.address));
  }

  /** What happened so far, a line each. */
  get story(): string {
    return this.#told.join('\n');
  }

  async apply(step: Step): Promise<void> {
    this.#told.push(`${ctx.clock.now().toISOString()} ${fc.stringify(step)}`);
    switch (step.kind) {
      case 'checkout':
        return this.#checkout(step);
      case 'complete':
        return this.#signed.shift()?.();
      case 'see':
        return this.#see();
      case 'collect':
        return this.#collect();
      case 'travel':
        return world.travel(step.seconds);
      case 'change':
        return this.#change(step.change);
      case 'pull':
        return this.#pull(step.amount);
      case 'fund':
        this.#given += step.amount - (await world.tokensOf(this.#wallet, plan));
        return world.setTokens(this.#wallet.address, step.amount);
      default:
        // The program may refuse it.
        await world.onChain[step.kind](this.#wallet, plan).catch(() => this.#told.push('  refused'));
    }
  }

  async #checkout({ offer, isCompleted }: Extract<Step, { kind: 'checkout' }>): Promise<void> {
    const { discountId, price } = offer;
    const customerEmail = `${this.#told.length}-${this.address.slice(0, 8)}@example.com`;
    const sessionId = await world.openSession(merchant, plan, { discountId, customerEmail });
    const before = await this.#account();
    const approved = await this.#unlessRefused(world.approve(sessionId, plan, this.#wallet));
    if (!approved) return;
    const now = unixSeconds(ctx.clock.now());
    if (!before || (before.expiresAt !== 0n && before.expiresAt <= now)) {
      this.#createdAt = now;
      this.#prices.clear();
    }
    this.#prices.add(price);
    // The indexer completes it too, when it sees it.
    this.#isEnded = false;
    const complete = async () => void (await this.#unlessRefused(completeCheckout(ctx, sessionId, approved)));
    if (isCompleted) await complete();
    else this.#signed.push(complete);
  }

  async #change(change: keyof typeof CHANGES): Promise<void> {
    const changed = await this.#unlessRefused(CHANGES[change](this.address));
    if (!changed) return;
    if (change === 'cancelNow') this.#isEnded = true;
    if (change === 'undo') this.#isEnded = false;
  }

  async #pull(amount: bigint): Promise<void> {
    const pull = await pullInstruction(merchant.wallet, plan, this.#wallet.address, amount);
    const signature = await world.act(merchant.wallet, pull).catch(() => undefined);
    if (signature) this.#unseen.push(signature);
    else this.#told.push('  refused');
  }

  /** What the indexer does. */
  async #see(): Promise<void> {
    for (const signature of this.#unseen.splice(0)) {
      const transaction = await readTransaction(world.chain, signature);
      if (!transaction) throw new Error(`The node does not have ${signature}`);
      const unsettled = await settleTransactions(ctx, 'TEST', [seenTransaction(transaction)]);
      expect([...unsettled.values()]).toEqual([]);
    }
    await world.mirror(this.address);
  }

  /** What the workers do, until nothing is due or in flight. */
  async #collect(): Promise<void> {
    const account = await this.#account();
    for (let round = 0; round < ROUNDS; round++) {
      await collectDue(ctx, 'TEST');
      await followTransactions(ctx, 'TEST');
    }
    await this.#checkSums();
    const where = { subscription: { address: this.address }, collectedByUs: true, paidAmount: { gt: 0 } };
    const payments = await db.payment.findMany({ where, include: { subscription: true } });
    for (const { id, amount, subscription } of payments.filter(({ id }) => !this.#checked.has(id))) {
      this.#told.push(`  charged ${amount}`);
      this.#checked.add(id);
      expect(account?.expiresAt, 'charged after a cancellation on chain').toBe(0n);
      expect(this.#isEnded, 'charged after a cancellation in dues').toBe(false);
      expect(subscription.chainCreatedAt, 'charged for another subscription').toBe(this.#createdAt);
      expect([...this.#prices], 'charged another price').toContain(amount);
    }
  }

  /** What left the wallet is in the books: all that dues pulled, and of the merchant what dues has seen. */
  async #checkSums(): Promise<void> {
    const transfers = await db.chainTransfer.findMany({ where: { subscriptionAddress: this.address } });
    const spent = this.#given - (await world.tokensOf(this.#wallet, plan));
    const seen = sum(transfers);
    if (this.#unseen.length === 0) expect(seen).toBe(spent);
    else expect(seen).toBeLessThanOrEqual(spent);
    const unknown = transfers.filter(({ paymentId }) => paymentId === null);
    this.hasUnknown = unknown.length > 0;
    for (const { puller } of unknown) expect(puller).toBe(merchant.wallet.address);
    const { _sum } = await db.payment.aggregate({
      where: { subscription: { address: this.address } },
      _sum: { paidAmount: true },
    });
    expect(_sum.paidAmount ?? 0n).toBe(seen - sum(unknown));
  }

  async #account() {
    const { data } = await world.see(this.address);
    return data && decodeSubscription(data);
  }

  /** What the call returns; undefined if dues refuses it. */
  async #unlessRefused<T>(call: Promise<T>): Promise<T | undefined> {
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      this.#told.push(`  refused: ${error.message}`);
      return undefined;
    }
  }
}

/** One to charge, one that finds that nothing is due, and one more for what was claimed meanwhile. */
const ROUNDS = 3;

const sum = (rows: readonly { readonly amount: bigint }[]) =>
  rows.reduce((total, { amount }) => total + amount, 0n);

it('each charge at an address is of its subscription, agreed and in the books', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24, size: 'max' }), async (steps) => {
      const history = await History.begin();
      try {
        for (const each of [...steps, { kind: 'see' }, { kind: 'collect' }] as Step[])
          await history.apply(each);
        // A pull from a subscription that dues never knew is a difference, as it should be.
        if (history.hasUnknown) return;
        for await (const { differences } of auditBooks(ctx, {})) {
          const there = differences.filter(({ subscription }) => subscription === history.address);
          expect(there).toEqual([]);
        }
      } catch (cause) {
        throw new Error(`The history of ${history.address}:\n${history.story}`, { cause });
      }
    }),
    { seed: SEED, numRuns: HISTORIES },
  );
});
