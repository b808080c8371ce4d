import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { GraphQLClient, gql } from 'graphql-request';
import { SUBSCRIPTIONS_PROGRAM, USDC_MINT } from '../localnet/genesis.ts';
import { mapConcurrently } from '../src/async/map-concurrently.ts';
import { signPull } from '../tools/merchant-pull.ts';
import { CustomerApp } from '../tools/world/customer-app.ts';
import type { PartName } from './parts.ts';
import { repeatUntilDone } from './repeat-until-done.ts';
import { type CastMember, PART, PLANS, PRICE, type RunSchedule } from './schedule.ts';
import type { ChaosMerchant, ChaosWorld } from './world.ts';

export const FULL_BALANCE = 1_000_000_000n;
export const LAMPORTS = 10_000_000_000;
const CONCURRENCY = 8;
const ANSWER_TIMEOUT_MS = 3_000;
const MINT = new PublicKey(USDC_MINT);
const PROGRAM = new PublicKey(SUBSCRIPTIONS_PROGRAM);
/** Offset of the end of a subscription in its account. */
const EXPIRES_AT_OFFSET = 147;

/** Parts of customers who sign transactions and pay their fees after they have subscribed. */
const SIGNING: readonly PartName[] = [
  'expires and comes back',
  'cancels',
  'cancels and resumes',
  'cancels and subscribes again',
  'approval revoked and repaired',
  'approval revoked, never repaired',
  'closes the authority',
  'cancels during collection',
];

/** A simulated customer with a wallet, and the times at which its subscriptions began. */
export class Customer {
  readonly member: CastMember;
  readonly app: CustomerApp;
  /** The subscription's address, which is known before the subscription exists. */
  readonly subscription: string;
  /** The Unix seconds at which each subscription at the address began, or slightly earlier. */
  readonly creations: number[] = [];
  /** Amounts of the transactions with which the merchant collected without dues, by signature. */
  readonly pulledByMerchant = new Map<string, bigint>();
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
    return this.#world.network.client.setTokens(this.app.address, amount);
  }

  /**
   * Subscribes through the merchant's checkout.
   *
   * @param vanishes whether the app is closed before it completes the checkout session
   */
  async checkOut({ vanishes = false } = {}): Promise<void> {
    const startedAt = Math.floor(this.#world.network.nowMs() / 1000) - 1;
    const email = `${this.app.address.slice(0, 8)}@example.com`;
    const sessionId = await this.#repeat(() => this.#merchant.backend.openCheckout(this.plan.planId, email));
    if (sessionId === undefined) return;
    // The transaction may have landed although the app got an error. dues then completes the
    // checkout session without the app.
    const isDone = () => this.#isCompleted(sessionId);
    await this.#repeat(() => this.app.approve(sessionId), isDone);
    this.creations.push(startedAt);
    if (!vanishes) await this.#repeat(() => this.app.complete(), isDone);
  }

  async cancel(): Promise<void> {
    await this.#repeat(
      () => this.app.change(this.subscription, 'cancel'),
      async () => (await this.#readExpiresAt()) !== 0n,
    );
  }

  async resume(): Promise<void> {
    await this.#repeat(
      () => this.app.change(this.subscription, 'resume'),
      async () => (await this.#readExpiresAt()) === 0n,
    );
  }

  async repairApproval(): Promise<void> {
    await this.#repeat(() => this.app.change(this.subscription, 'repair_approval'));
  }

  async revokeApproval(): Promise<void> {
    await this.#repeat(() => this.app.revokeApproval(MINT));
  }

  async closeAuthority(): Promise<void> {
    await this.#repeat(() => this.app.closeAuthority(MINT));
  }

  /** Collects as the merchant, without dues. Errors are ignored. */
  async pullByMerchant(amount: bigint): Promise<void> {
    const plan = this.#merchant.plans.get(this.plan.planId) ?? '';
    const { subscription } = this;
    const pull = { subscription, plan, payer: this.app.wallet.publicKey, amount };
    try {
      const { wire, signature } = await signPull(this.#connection, this.#merchant.keypair, pull);
      this.pulledByMerchant.set(signature, amount);
      await this.#connection.sendRawTransaction(wire, { skipPreflight: true });
      this.#world.tally.add('pulls of merchants');
    } catch {
      // The node fails like that of dues. The transaction may land nevertheless.
    }
  }

  /** Cancels the subscription as the merchant, through the API. */
  async cancelByMerchant(): Promise<void> {
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
    await this.#repeat(() => client.request(cancel, { id: this.subscription }));
  }

  async #isCompleted(sessionId: string): Promise<boolean> {
    const response = await fetch(`${this.#world.apiUrl}/api/checkout/${sessionId}`);
    return response.ok && ((await response.json()) as { status: string }).status === 'completed';
  }

  /** The Unix seconds at which the subscription ends on chain; 0 if it was not cancelled. */
  async #readExpiresAt(): Promise<bigint> {
    const account = await this.#connection.getAccountInfo(new PublicKey(this.subscription), 'confirmed');
    return account?.data.readBigInt64LE(EXPIRES_AT_OFFSET) ?? 0n;
  }

  #repeat<T>(act: () => Promise<T>, isDone = async () => false): Promise<T | undefined> {
    return repeatUntilDone(this.#world.tally, act, { isDone });
  }
}

/** All simulated customers. */
export class Customers {
  readonly all: readonly Customer[];
  /** The connection of customers and merchants to their node. */
  readonly connection: Connection;
  readonly #world: ChaosWorld;

  constructor(world: ChaosWorld, merchants: readonly ChaosMerchant[], { cast, wallets }: RunSchedule) {
    this.#world = world;
    this.connection = new Connection(world.network.rpcUrl, {
      commitment: 'confirmed',
      disableRetryOnRateLimit: true,
      // The node may hang, also for customers.
      fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) }),
    });
    const { connection } = this;
    const apps = wallets.map((secret) => new CustomerApp(world.apiUrl, connection, Keypair.fromSeed(secret)));
    this.all = cast.map((member) => {
      const merchant = merchants[PLANS[member.plan]?.merchant ?? 0];
      const app = apps[member.wallet];
      if (!merchant || !app) throw new Error('a customer of the plan has no merchant or no app');
      return new Customer({ world, merchant, connection }, member, app);
    });
  }

  /** Customers who pay fees. */
  get signing(): Customer[] {
    return this.all.filter(({ name, member }) => SIGNING.includes(name) || member.entry !== 'seeded');
  }

  /** Gives SOL to customers who sign, and tokens to those who subscribe through a checkout. */
  async fund(): Promise<void> {
    await this.#forEach(this.signing, ({ app }) =>
      this.#world.network.client.setLamports(app.address, LAMPORTS),
    );
    await this.#forEach(
      this.all.filter(({ member }) => member.entry !== 'seeded'),
      (customer) => customer.setBalance(FULL_BALANCE),
    );
  }

  async checkOut(): Promise<void> {
    const entering = this.all.filter(({ member }) => member.entry !== 'seeded');
    await this.#forEach(entering, (customer) =>
      customer.checkOut({ vanishes: customer.member.entry === 'vanishes' }),
    );
  }

  /** Does what customers do before the round's payments become due. There are no faults then. */
  async before(round: number): Promise<void> {
    await this.#act(round, {
      'no money, topped up after the first attempt': (customer) => customer.setBalance(0n),
      'no money, topped up after the second attempt': (customer) => customer.setBalance(PRICE - 1n),
      'no money, never topped up': (customer) => customer.setBalance(0n),
      'expires and comes back': (customer) => customer.setBalance(0n),
      cancels: (customer) => customer.cancel(),
      'cancels and subscribes again': (customer) => customer.cancel(),
      'approval revoked and repaired': (customer) => customer.revokeApproval(),
      'approval revoked, never repaired': (customer) => customer.revokeApproval(),
      'closes the authority': (customer) => customer.closeAuthority(),
      'cancelled by the merchant': (customer) => customer.cancelByMerchant(),
      'one wallet, two subscriptions, money for one': (customer) => customer.setBalance(PRICE),
    });
  }

  /** Does what customers do while the payments are collected. */
  async meanwhile(round: number): Promise<void> {
    await this.#act(round, {
      'cancels during collection': (customer) => customer.cancel(),
      'loses its money during collection': (customer) => customer.setBalance(0n),
      'the merchant collects too': (customer) => customer.pullByMerchant(PRICE),
      'the merchant collects a part': (customer) => customer.pullByMerchant(PART),
    });
  }

  /** Tops up customers, and repairs approvals, after the first attempt has failed. */
  async rescue(round: number): Promise<void> {
    await this.#act(round, {
      'no money, topped up after the first attempt': (customer) => customer.setBalance(FULL_BALANCE),
      'approval revoked and repaired': (customer) => customer.repairApproval(),
      'loses its money during collection': (customer) => customer.setBalance(FULL_BALANCE),
      'one wallet, two subscriptions, money for one': (customer) => customer.setBalance(FULL_BALANCE),
    });
  }

  /** Tops up customers after the second attempt has failed. */
  async rescueLate(round: number): Promise<void> {
    await this.#act(round, {
      'no money, topped up after the second attempt': (customer) => customer.setBalance(FULL_BALANCE),
    });
  }

  /** Does what customers do after the payments: they cancel, resume and come back. */
  async after(round: number): Promise<void> {
    await this.#act(round, {
      'cancels and resumes': async (customer) => {
        await customer.cancel();
        await customer.resume();
      },
    });
    const returning = this.all.filter(
      ({ name, member: { part } }) =>
        part.backIn === round &&
        (name === 'expires and comes back' || name === 'cancels and subscribes again'),
    );
    await this.#forEach(returning, async (customer) => {
      await customer.setBalance(FULL_BALANCE);
      const creations = [...customer.creations];
      await customer.checkOut();
      // An expired subscription is reactivated, so there is no new subscription at the address.
      if (customer.name === 'expires and comes back') customer.creations.splice(0, Infinity, ...creations);
    });
  }

  async #act(
    round: number,
    actions: Partial<Record<PartName, (customer: Customer) => Promise<void>>>,
  ): Promise<void> {
    const acting = this.all.filter(({ name, member: { part } }) => part.in === round && actions[name]);
    await this.#forEach(acting, async (customer) => actions[customer.name]?.(customer));
  }

  async #forEach(customers: readonly Customer[], act: (customer: Customer) => Promise<void>): Promise<void> {
    await mapConcurrently(customers, CONCURRENCY, act);
  }
}
