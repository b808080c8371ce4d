import { setTimeout as wait } from 'node:timers/promises';
import { Connection, PublicKey } from '@solana/web3.js';
import { USDC_MINT } from '../localnet/genesis.ts';
import type { AppContext } from '../src/app.ts';
import type { FollowingClock } from '../src/clock.ts';
import { CustomerApp } from '../tools/world/customer-app.ts';
import type { Merchant } from '../tools/world/merchant.ts';
import type { Board } from './board.ts';
import { untilQuiet } from './quiet.ts';
import type { StoryNetwork } from './story-network.ts';
import { summarizeWebhooks } from './summarize-webhooks.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

const DAY_SECONDS = 86_400;
/** 1,000 USDC. */
const FULL_BALANCE = 1_000_000_000n;
export const PERIODS = 12;
export const PLANS = {
  daily: { name: 'Daily news', amount: 5_000_000n, intervalSeconds: DAY_SECONDS },
  weekend: { name: 'Every other day', amount: 12_500_000n, intervalSeconds: 2 * DAY_SECONDS },
} as const;
type PlanId = keyof typeof PLANS;

/** A customer's part, and the result that the books must show at the end. */
export interface Part {
  readonly role: string;
  readonly planId: PlanId;
  readonly payments: number;
  /** What a discount takes off all of them, in base units. */
  readonly takenOff?: bigint;
  readonly status: 'ACTIVE' | 'CANCELLED' | 'EXPIRED';
  readonly count: number;
}

/** The role of customers whose wallets get no SOL. */
export const WITHOUT_SOL = 'has no SOL: dues pays the fee';

/** The role of customers who enter a code at the checkout. */
const HAS_CODE = 'has a code: three days at half price';
const CODE = 'HALF';
/** The role of customers who still have access after their subscription expired. */
export const IN_GRACE = 'runs out of money, in grace';
/** How long an expired subscription gives access. */
export const GRACE_SECONDS = 3 * DAY_SECONDS;

export const CAST: readonly Part[] = [
  { role: 'pays every day', planId: 'daily', payments: 13, status: 'ACTIVE', count: 10 },
  { role: WITHOUT_SOL, planId: 'daily', payments: 13, status: 'ACTIVE', count: 1 },
  { role: 'pays every other day', planId: 'weekend', payments: 7, status: 'ACTIVE', count: 4 },
  { role: 'runs out of money, tops up', planId: 'daily', payments: 13, status: 'ACTIVE', count: 2 },
  { role: 'runs out of money, expires', planId: 'daily', payments: 5, status: 'EXPIRED', count: 2 },
  { role: 'expires, comes back', planId: 'daily', payments: 9, status: 'ACTIVE', count: 1 },
  { role: 'cancels', planId: 'daily', payments: 7, status: 'CANCELLED', count: 1 },
  { role: 'cancels, resumes', planId: 'daily', payments: 13, status: 'ACTIVE', count: 1 },
  { role: 'revokes the approval', planId: 'daily', payments: 8, status: 'EXPIRED', count: 1 },
  { role: 'approval revoked, repaired', planId: 'daily', payments: 13, status: 'ACTIVE', count: 1 },
  { role: 'app dies before complete', planId: 'daily', payments: 13, status: 'ACTIVE', count: 1 },
  { role: HAS_CODE, planId: 'daily', payments: 13, takenOff: 7_500_000n, status: 'ACTIVE', count: 1 },
  { role: 'pauses for three days', planId: 'daily', payments: 10, status: 'ACTIVE', count: 1 },
  { role: IN_GRACE, planId: 'daily', payments: 12, status: 'EXPIRED', count: 1 },
];

const NAMES = (
  'Ada Ben Cleo Dan Eve Finn Gia Hugo Ines Jan Kim Leo Mia Noah Olga Paul Quinn Rosa Sam Tess Uma Vito Wanda Xenia ' +
  'Yara Zoe Amir Bea'
)
  .split(' ')
  .slice(
    0,
    CAST.reduce((sum, { count }) => sum + count, 0),
  );

export interface Customer {
  readonly part: Part;
  readonly name: string;
  readonly app: CustomerApp;
  /** The subscription's address. */
  readonly subscription: string;
}

/** Whether the operator pays the fees of customers without SOL. Otherwise all customers get SOL. */
export function isSponsoring({ config }: Pick<AppContext, 'config'>): boolean {
  return (config.clusters.TEST?.maxSponsoredLamportsPerDay ?? 0n) > 0n;
}

/** Plays the story with the chain's clock, and prints each step on the board. */
export class Story {
  readonly customers: Customer[] = [];
  /** The amount that the merchant has refunded, in base units. */
  refunded = 0n;
  readonly #ctx: AppContext;
  readonly #network: StoryNetwork;
  readonly #merchant: Merchant;
  readonly #receiver: WebhookReceiver;
  /** Number of webhooks already reported. */
  #reported = 0;
  readonly #board: Board;
  readonly #api: string;

  constructor(
    ctx: AppContext,
    network: StoryNetwork,
    merchant: Merchant,
    receiver: WebhookReceiver,
    board: Board,
    api: string,
  ) {
    this.#ctx = ctx;
    this.#network = network;
    this.#merchant = merchant;
    this.#receiver = receiver;
    this.#board = board;
    this.#api = api;
  }

  /** @param afterDay called at the end of each day */
  async play(afterDay?: (day: number) => Promise<void>): Promise<void> {
    const board = this.#board;
    board.title('A merchant sells two plans');
    for (const [planId, { name, amount, intervalSeconds }] of Object.entries(PLANS)) {
      await board.step(
        `publish "${name}"`,
        () => this.#merchant.publishPlan({ planId, name, amount, intervalSeconds }),
        () =>
          `${Number(amount) / 1e6} USDC every ${intervalSeconds === DAY_SECONDS ? 'day' : `${intervalSeconds / DAY_SECONDS} days`}, on chain`,
      );
    }

    await board.step(`create the code ${CODE}`, () =>
      this.#merchant.createDiscount({ name: 'Half price', code: CODE, percentBps: 5_000, periods: 3 }),
    );

    board.title(`${NAMES.length} customers check out, each with their own wallet app`);
    const parts = CAST.flatMap((part) => Array.from({ length: part.count }, () => part));
    const apps = await board.step(
      'wallets are created and funded',
      () => this.#createFundedApps(parts),
      () => `1,000 USDC each, and some SOL for ${isSponsoring(this.#ctx) ? 'all but one' : 'all'}`,
    );
    for (let start = 0; start < parts.length; start += 5) {
      const batch = parts.slice(start, start + 5);
      await board.step(`customers ${start + 1} to ${start + batch.length} approve once`, async () => {
        const checkOuts = batch.map((part, index) =>
          this.#checkOut(part, NAMES[start + index] as string, apps[start + index] as CustomerApp),
        );
        this.customers.push(...(await Promise.all(checkOuts)));
      });
    }
    await board.step(
      'first payments arrive',
      () => this.#untilQuiet(),
      () => this.#summarizeNew(),
    );

    board.title(`${PERIODS} days pass`);
    for (let day = 1; day <= PERIODS; day++) {
      await this.#playDay(day);
      await afterDay?.(day);
    }
    const [first] = this.customers;
    if (!first) return;
    await board.step(
      `${first.name}'s first payment is sent back by the merchant's wallet`,
      async () => {
        this.refunded = await this.#merchant.refundFirstPayment(first.subscription);
        await this.#untilQuiet();
      },
      () => this.#summarizeNew(),
    );
  }

  async #playDay(day: number): Promise<void> {
    const board = this.#board;
    const topUp = this.#customersWith('runs out of money, tops up');
    const runningOut = [
      ...this.#customersWith('runs out of money, expires'),
      ...this.#customersWith('expires, comes back'),
    ];
    const repairing = this.#customersWith('approval revoked, repaired');
    const inGrace = this.#customersWith(IN_GRACE);
    if (day === 3) await this.#setBalances(topUp, 0n);
    if (day === 5) await this.#setBalances(runningOut, 0n);
    if (day === 12) await this.#setBalances(inGrace, 0n);
    const summary = () => this.#summarizeNew();
    if (day === 6) {
      const pausing = this.#customersWith('pauses for three days');
      await board.step(
        `${namesOf(pausing)} pauses for three days`,
        async () => {
          for (const { subscription } of pausing) await this.#merchant.pause(subscription, 3);
          await this.#untilQuiet();
        },
        summary,
      );
    }
    if (day === 7) {
      const cancelling = this.#customersWith('cancels');
      const resuming = this.#customersWith('cancels, resumes');
      await board.setback(
        `${namesOf([...cancelling, ...resuming])} cancel on chain, ${namesOf(resuming)} resumes`,
        async () => {
          await Promise.all([...cancelling, ...resuming].map((customer) => this.#cancel(customer)));
          for (const customer of resuming) await this.#resume(customer);
          await this.#untilQuiet();
        },
        summary,
      );
    }
    if (day === 8) {
      const revoking = [...this.#customersWith('revokes the approval'), ...repairing];
      await board.setback(`another app of ${namesOf(revoking)} revokes the approval`, async () => {
        const mint = new PublicKey(USDC_MINT);
        await Promise.all(revoking.map(({ app }) => app.revokeApproval(mint)));
      });
    }
    await board.step(
      `day ${day}`,
      () => this.#travel(DAY_SECONDS),
      () => this.#summarizeNew(),
    );
    if (day === 3) {
      const [first, second] = [topUp.slice(0, 1), topUp.slice(1)];
      await board.step(`${namesOf(first)} is topped up: retried at once`, () => this.#refill(first), summary);
      await board.setback('one minute later', () => this.#travel(65), summary);
      await board.step(`${namesOf(second)} is topped up too`, () => this.#refill(second), summary);
    }
    if (day === 8) {
      await board.step(
        `${namesOf(repairing)} repairs the approval: retried at once`,
        () => this.#repair(repairing),
        summary,
      );
    }
    if (day === 5 || day === 8 || day === 12) {
      const missing = day === 8 ? 'approval' : 'money';
      await board.setback(`one minute later: still no ${missing}`, () => this.#travel(65), summary);
      await board.setback('five minutes later', () => this.#travel(305), summary);
    }
    if (day === 9) {
      const back = this.#customersWith('expires, comes back');
      await board.step(
        `${namesOf(back)} comes back: a new checkout, the same subscription`,
        () => this.#comeBack(back),
        summary,
      );
    }
  }

  /** Summarises the webhooks that the merchant has received since the last call. */
  #summarizeNew(): string {
    const { received } = this.#receiver;
    const newWebhooks = received.slice(this.#reported);
    this.#reported = received.length;
    const nameOf = (id: string) => this.customers.find(({ subscription }) => subscription === id)?.name ?? id;
    return summarizeWebhooks(newWebhooks, nameOf);
  }

  async #createFundedApps(parts: readonly Part[]): Promise<CustomerApp[]> {
    const { rpcUrl, webSocketUrl } = this.#network;
    const connection = new Connection(rpcUrl, { commitment: 'confirmed', wsEndpoint: webSocketUrl });
    return Promise.all(
      parts.map(async ({ role }) => {
        const app = new CustomerApp(this.#api, connection);
        await this.#setBalance(app, FULL_BALANCE);
        if (role !== WITHOUT_SOL || !isSponsoring(this.#ctx)) await this.#network.fund(app.address);
        return app;
      }),
    );
  }

  async #checkOut(part: Part, name: string, app: CustomerApp): Promise<Customer> {
    const hasCode = part.role === HAS_CODE;
    const email = `${name.toLowerCase()}@example.com`;
    const sessionId = await this.#merchant.openCheckout(part.planId, email, { allowsCodes: hasCode });
    if (hasCode) await app.enterCode(sessionId, CODE);
    const subscription = await app.approve(sessionId);
    if (part.role !== 'app dies before complete') await app.complete();
    return { part, name, app, subscription };
  }

  #customersWith(role: string): Customer[] {
    return this.customers.filter(({ part }) => part.role === role);
  }

  async #setBalances(customers: readonly Customer[], amount: bigint): Promise<void> {
    for (const { app } of customers) await this.#setBalance(app, amount);
  }

  async #refill(customers: readonly (Customer | undefined)[]): Promise<void> {
    for (const customer of customers) if (customer) await this.#setBalance(customer.app, FULL_BALANCE);
    for (const customer of customers) if (customer) await this.#untilStatus(customer, 'ACTIVE');
    await this.#untilQuiet();
  }

  async #cancel(customer: Customer): Promise<void> {
    await customer.app.change(customer.subscription, 'cancel');
    await this.#untilStatus(customer, 'CANCELLED');
  }

  async #resume(customer: Customer): Promise<void> {
    await customer.app.change(customer.subscription, 'resume');
    await this.#untilStatus(customer, 'ACTIVE');
  }

  async #repair(customers: readonly Customer[]): Promise<void> {
    for (const { app, subscription } of customers) await app.change(subscription, 'repair_approval');
    for (const customer of customers) await this.#untilStatus(customer, 'ACTIVE');
    await this.#untilQuiet();
  }

  async #comeBack(customers: readonly Customer[]): Promise<void> {
    for (const { app, name, part, subscription } of customers) {
      await this.#setBalance(app, FULL_BALANCE);
      const reactivated = await this.#checkOut(part, name, app);
      if (reactivated.subscription !== subscription)
        throw new Error('the new checkout created another subscription');
    }
    await this.#untilQuiet();
  }

  async #setBalance(app: CustomerApp, amount: bigint): Promise<void> {
    await this.#network.setTokens(app.address, amount);
  }

  async #travel(seconds: number): Promise<void> {
    await this.#network.travel(seconds);
    await (this.#ctx.clock as FollowingClock).sync();
    await this.#untilQuiet();
  }

  #untilQuiet(): Promise<void> {
    return untilQuiet(this.#ctx, this.#network);
  }

  /** Waits until the API shows the subscription with this status. */
  async #untilStatus({ subscription }: Pick<Customer, 'subscription'>, status: string): Promise<void> {
    for (;;) {
      const subscriptions = await this.#merchant.subscriptions();
      if (subscriptions.find(({ id }) => id === subscription)?.status === status) return;
      await wait(50);
    }
  }
}

function namesOf(customers: readonly Customer[]): string {
  return customers.map(({ name }) => name).join(' and ');
}
