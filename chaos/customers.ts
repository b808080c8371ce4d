import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { GraphQLClient, gql } from 'graphql-request';
import { SUBSCRIPTIONS_PROGRAM, USDC_MINT } from '../localnet/genesis.ts';
import { mapConcurrently } from '../src/async/map-concurrently.ts';
import { CustomerApp } from '../tools/customer-app.ts';
import { pullAsMerchant } from './merchant-pull.ts';
import type { PartName } from './parts.ts';
import { type CastMember, PLANS, type RunPlan } from './plan.ts';
import { repeatUntilDone } from './repeat-until-done.ts';
import type { ChaosMerchant, ChaosWorld } from './world.ts';

export const FULL_BALANCE = 1_000_000_000n;
export const LAMPORTS = 10_000_000_000;
const CONCURRENCY = 8;
const ANSWER_WITHIN_MS = 3_000;
const MINT = new PublicKey(USDC_MINT);
const PROGRAM = new PublicKey(SUBSCRIPTIONS_PROGRAM);
/** Offset in a subscription's account. */
const EXPIRES_AT_OFFSET = 147;
export const PRICE = 2_500_000n;

/** Parts of customers who sign something or pay fees after they have subscribed. */
const SIGNING: readonly PartName[] = [
  'expires and comes back',
  'cancels',
  'cancels and resumes',
  'cancels and subscribes anew',
  'approval revoked and repaired',
  'approval revoked for good',
  'closes the authority',
  'cancels while it is collected',
];

/** A simulated customer with a wallet, and what has happened so far. */
export class Customer {
  readonly member: CastMember;
  readonly app: CustomerApp;
  /** The subscription's address, which is known before it exists. */
  readonly subscription: string;
  /** When each subscription at the address began, in unix seconds, or slightly earlier. */
  readonly creations: number[] = [];
  readonly #world: ChaosWorld;
  readonly #merchant: ChaosMerchant;
  readonly #connection: Connection;

  constructor(
    { world, merchant, connection }: { world: ChaosWorld; merchant: ChaosMerchant; connection: Connection },
    member: CastMember,
    app: CustomerApp,
  ) {
    this.#world = world;
    this.#merchant = merchant;
    this.#connection = connection;
    this.member = member;
    this.app = app;
    const plan = merchant.plans.get(this.plan.planId) ?? '';
    const seeds = [
      Buffer.from('subscription'),
      new PublicKey(plan).toBuffer(),
      app.wallet.publicKey.toBuffer(),
    ];
    this.subscription = PublicKey.findProgramAddressSync(seeds, PROGRAM)[0].toBase58();
  }

  get merchant(): ChaosMerchant {
    return this.#merchant;
  }

  get name(): PartName {
    return this.member.part.name;
  }

  get plan(): (typeof PLANS)[number] {
    return PLANS[this.member.plan] ?? PLANS[0];
  }

  setBalance(amount: bigint): Promise<void> {
    return this.#world.network.setBalance(this.app.address, amount);
  }

  /** Goes through the merchant's checkout. */
  async checkOut({ vanishes = false } = {}): Promise<void> {
    const since = Math.floor(this.#world.network.nowMs() / 1000) - 1;
    const email = `${this.app.address.slice(0, 8)}@example.com`;
    const sessionId = await this.#insist(() => this.#merchant.backend.openCheckout(this.plan.planId, email));
    if (sessionId === undefined) return;
    // The transaction may have landed although the app got an error. The session then completes by
    // itself.
    const isDone = () => this.#isCompleted(sessionId);
    await this.#insist(() => this.app.approve(sessionId), isDone);
    this.creations.push(since);
    if (!vanishes) await this.#insist(() => this.app.complete(), isDone);
  }

  async cancel(): Promise<void> {
    await this.#insist(
      () => this.app.change(this.subscription, 'cancel'),
      async () => (await this.#expiresAt()) !== 0n,
    );
  }

  async resume(): Promise<void> {
    await this.#insist(
      () => this.app.change(this.subscription, 'resume'),
      async () => (await this.#expiresAt()) === 0n,
    );
  }

  async repairApproval(): Promise<void> {
    await this.#insist(() => this.app.change(this.subscription, 'repair_approval'));
  }

  async revokeApproval(): Promise<void> {
    await this.#insist(() => this.app.revokeApproval(MINT));
  }

  async closeAuthority(): Promise<void> {
    await this.#insist(() => this.app.closeAuthority(MINT));
  }

  /** The merchant collects without dues. It may fail. */
  async pulledByMerchant(): Promise<void> {
    const plan = this.#merchant.plans.get(this.plan.planId) ?? '';
    const { subscription } = this;
    const payer = this.app.wallet.publicKey;
    const pull = { subscription, plan, payer, amount: PRICE };
    await pullAsMerchant(this.#connection, this.#merchant.keypair, pull).then(
      () => this.#world.tally.add('pulls of merchants'),
      () => undefined,
    );
  }

  async cancelledByMerchant(): Promise<void> {
    const client = new GraphQLClient(`${this.#world.apiUrl}/graphql`, {
      headers: { authorization: `Bearer ${this.#merchant.apiKey}` },
    });
    const cancel = gql`
      mutation ($id: ID!) {
        cancelSubscription(subscription: $id, when: NOW) {
          subscription {
            status
          }
        }
      }
    `;
    await this.#insist(() => client.request(cancel, { id: this.subscription }));
  }

  async #isCompleted(sessionId: string): Promise<boolean> {
    const response = await fetch(`${this.#world.apiUrl}/api/checkout/${sessionId}`);
    return response.ok && ((await response.json()) as { status: string }).status === 'completed';
  }

  /** When the subscription ends on chain; 0 if it was not cancelled. */
  async #expiresAt(): Promise<bigint> {
    const account = await this.#connection.getAccountInfo(new PublicKey(this.subscription), 'confirmed');
    return account?.data.readBigInt64LE(EXPIRES_AT_OFFSET) ?? 0n;
  }

  #insist<T>(act: () => Promise<T>, isDone = async () => false): Promise<T | undefined> {
    return repeatUntilDone(this.#world.tally, act, { isDone });
  }
}

/** All simulated customers. */
export class Customers {
  readonly all: readonly Customer[];
  /** The node of customers and merchants. */
  readonly connection: Connection;
  readonly #world: ChaosWorld;

  constructor(world: ChaosWorld, merchants: readonly ChaosMerchant[], { cast, wallets }: RunPlan) {
    this.#world = world;
    this.connection = new Connection(world.network.rpcUrl, {
      commitment: 'confirmed',
      disableRetryOnRateLimit: true,
      // The customers' nodes may hang too.
      fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }),
    });
    const { connection } = this;
    const apps = wallets.map((secret) => new CustomerApp(world.apiUrl, connection, Keypair.fromSeed(secret)));
    this.all = cast.map((member) => {
      const merchant = merchants[PLANS[member.plan]?.merchant ?? 0];
      const app = apps[member.wallet];
      if (!merchant || !app) throw new Error('a customer has no merchant or app');
      return new Customer({ world, merchant, connection }, member, app);
    });
  }

  get signing(): Customer[] {
    return this.all.filter(({ name, member }) => SIGNING.includes(name) || member.entry !== 'seeded');
  }

  /** Gives SOL to customers who sign, and also tokens to those of the checkout. */
  async fund(): Promise<void> {
    await this.#each(this.signing, ({ app }) => this.#world.network.setLamports(app.address, LAMPORTS));
    await this.#each(
      this.all.filter(({ member }) => member.entry !== 'seeded'),
      (customer) => customer.setBalance(FULL_BALANCE),
    );
  }

  async checkOut(): Promise<void> {
    const entering = this.all.filter(({ member }) => member.entry !== 'seeded');
    await this.#each(entering, (customer) =>
      customer.checkOut({ vanishes: customer.member.entry === 'vanishes' }),
    );
  }

  /** The actions before the round's payments become due, without faults. */
  async before(round: number): Promise<void> {
    await this.#those(round, {
      'dry, filled after the first try': (customer) => customer.setBalance(0n),
      'dry, filled after the second try': (customer) => customer.setBalance(PRICE - 1n),
      'dry for good': (customer) => customer.setBalance(0n),
      'expires and comes back': (customer) => customer.setBalance(0n),
      cancels: (customer) => customer.cancel(),
      'cancels and subscribes anew': (customer) => customer.cancel(),
      'approval revoked and repaired': (customer) => customer.revokeApproval(),
      'approval revoked for good': (customer) => customer.revokeApproval(),
      'closes the authority': (customer) => customer.closeAuthority(),
      'cancelled by the merchant': (customer) => customer.cancelledByMerchant(),
      'one wallet, two subscriptions, money for one': (customer) => customer.setBalance(PRICE),
    });
  }

  /** The actions while they are collected. */
  async meanwhile(round: number): Promise<void> {
    await this.#those(round, {
      'cancels while it is collected': (customer) => customer.cancel(),
      'runs dry while it is collected': (customer) => customer.setBalance(0n),
      'the merchant collects too': (customer) => customer.pulledByMerchant(),
    });
  }

  /** Tops up customers whose payment failed once. */
  async rescue(round: number): Promise<void> {
    await this.#those(round, {
      'dry, filled after the first try': (customer) => customer.setBalance(FULL_BALANCE),
      'approval revoked and repaired': (customer) => customer.repairApproval(),
      'runs dry while it is collected': (customer) => customer.setBalance(FULL_BALANCE),
      'one wallet, two subscriptions, money for one': (customer) => customer.setBalance(FULL_BALANCE),
    });
  }

  /** Tops up customers whose payment failed twice. */
  async rescueLate(round: number): Promise<void> {
    await this.#those(round, {
      'dry, filled after the second try': (customer) => customer.setBalance(FULL_BALANCE),
    });
  }

  /** Cancellations and resumptions after the payments. */
  async after(round: number): Promise<void> {
    await this.#those(round, {
      'cancels and resumes': async (customer) => {
        await customer.cancel();
        await customer.resume();
      },
    });
    const returning = this.all.filter(
      ({ name, member: { part } }) =>
        part.backIn === round &&
        (name === 'expires and comes back' || name === 'cancels and subscribes anew'),
    );
    await this.#each(returning, async (customer) => {
      await customer.setBalance(FULL_BALANCE);
      const creations = [...customer.creations];
      await customer.checkOut();
      // An expired subscription is reactivated and stays the same.
      if (customer.name === 'expires and comes back') customer.creations.splice(0, Infinity, ...creations);
    });
  }

  async #those(
    round: number,
    acts: Partial<Record<PartName, (customer: Customer) => Promise<void>>>,
  ): Promise<void> {
    const acting = this.all.filter(({ name, member: { part } }) => part.in === round && acts[name]);
    await this.#each(acting, async (customer) => acts[customer.name]?.(customer));
  }

  async #each(customers: readonly Customer[], act: (customer: Customer) => Promise<void>): Promise<void> {
    await mapConcurrently(customers, CONCURRENCY, act);
  }
}
