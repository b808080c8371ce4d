import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { SUBSCRIPTIONS_PROGRAM, USDC_MINT } from '../localnet/genesis.ts';
import { mapConcurrently } from '../src/async/map-concurrently.ts';
import { signPull } from '../tools/merchant-pull.ts';
import { CustomerApp } from '../tools/world/customer-app.ts';
import type { DiscountName } from './discounts.ts';
import type { PartName } from './parts.ts';
import { ChaosPortal } from './portal.ts';
import { type RepeatOptions, repeatUntilDone } from './repeat-until-done.ts';
import {
  type CastMember,
  type CheckoutDiscountName,
  DAY_SECONDS,
  PART,
  PLANS,
  PRICE,
  type RunSchedule,
} from './schedule.ts';
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

/** A checkout whose transaction the wallet signed. */
export interface SignedCheckout {
  /** The Unix seconds before it was opened. */
  readonly at: number;
  /** The price that the page showed. */
  readonly price: bigint;
  readonly discount: CheckoutDiscountName | undefined;
}

/** Whether the discount of a checkout was refused. */
const isDiscountRefused = (error: unknown): boolean => `${error}`.includes('"param":"code"');

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
  /** What was signed, oldest first. */
  readonly signed: SignedCheckout[] = [];
  /** Whether a second checkout of the customer got transactions with a discount that each wallet has once. */
  hasSecondDiscount = false;
  /** Rounds of which the merchant was told that the payment is waived. */
  readonly waived: number[] = [];
  readonly #portal: ChaosPortal;
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
    this.#portal = new ChaosPortal(world.apiUrl, app.wallet);
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
    const sessionId = await this.#openCheckout(email);
    // The transaction may have landed although the app got an error. dues then completes the
    // checkout session without the app.
    const isDone = () => this.#isCompleted(sessionId);
    const [price] = await Promise.all([this.#approve(sessionId, isDone), this.#askElsewhere()]);
    this.creations.push(startedAt);
    const discount = price < PRICE ? this.member.discount : undefined;
    this.signed.push({ at: startedAt, price, discount });
    if (!vanishes) await this.#repeat(() => this.app.complete(), { isDone });
  }

  /** Opens a checkout with the customer's discount, which the merchant gives or the customer enters. */
  async #openCheckout(email: string): Promise<string> {
    const { discount } = this.member;
    const given = discount === 'ONCE' ? { discountId: this.#discountId(discount) } : {};
    const open = () =>
      this.#merchant.backend.openCheckout(this.plan.planId, email, { allowsCodes: true, ...given });
    const sessionId = (await this.#repeat(open)) as string;
    if (discount !== 'SCARCE') return sessionId;
    const isHopeless = isDiscountRefused;
    await this.#repeat(() => this.app.enterCode(sessionId, discount), { isHopeless }).catch((error) => {
      if (!isHopeless(error)) throw error;
    });
    return sessionId;
  }

  /** Signs and sends the transaction, without the discount if it is gone. Returns the price that was shown. */
  async #approve(sessionId: string, isDone: () => Promise<boolean>): Promise<bigint> {
    const price = await this.#repeat(async () => {
      const { discount } = await this.#readSession(sessionId);
      return BigInt(discount?.price ?? PRICE);
    });
    try {
      await this.#repeat(() => this.app.approve(sessionId), { isDone, isHopeless: isDiscountRefused });
      return price as bigint;
    } catch (error) {
      if (!isDiscountRefused(error)) throw error;
    }
    await this.#repeat(() => this.app.removeDiscount(sessionId));
    return this.#approve(sessionId, isDone);
  }

  /** Asks for the transactions of a second checkout with the discount, under another address, and leaves it. */
  async #askElsewhere(): Promise<void> {
    if (this.member.discount !== 'ONCE') return;
    const sessionId = await this.#openCheckout(`again-${this.app.address.slice(0, 8)}@example.com`);
    this.#world.abandoned.add(sessionId);
    const isGranted = await this.app.ask(sessionId).then(
      () => true,
      () => false,
    );
    this.hasSecondDiscount ||= isGranted;
  }

  #discountId(name: DiscountName): string {
    return this.#merchant.discounts.get(name) ?? '';
  }

  async cancel(): Promise<void> {
    await this.#repeat(() => this.app.change(this.subscription, 'cancel'), {
      isDone: async () => (await this.#readExpiresAt()) !== 0n,
    });
  }

  async resume(): Promise<void> {
    await this.#repeat(() => this.app.change(this.subscription, 'resume'), {
      isDone: async () => (await this.#readExpiresAt()) === 0n,
    });
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
    const cancel = 'cancelSubscription(subscription: $id, when: NOW) { subscription { status } }';
    await this.#repeat(() => this.#change(cancel));
  }

  /** Pauses for one period, in the portal. */
  async pause(): Promise<void> {
    const { planId: name } = this.plan;
    await this.#once(
      () => this.#portal.pause(name, 1),
      () => this.#portal.isPaused(name),
    );
  }

  /** Ends the pause in the portal, with a payment of the running period. */
  async endPause(): Promise<void> {
    const { planId: name } = this.plan;
    await this.#once(
      () => this.#portal.resume(name),
      async () => !(await this.#portal.isPaused(name)),
    );
  }

  /** Skips the next payment as the merchant. */
  async skipPayment(): Promise<void> {
    await this.#once(
      () => this.#change('skipNextPayment(subscription: $id) { id }'),
      async () => (await this.#read<{ pausedFrom: string | null }>('pausedFrom')).pausedFrom !== null,
    );
  }

  /** Gives the next period for free as the merchant. There must be no faults. */
  async grantFreePeriod(): Promise<void> {
    await this.#change('grantFreePeriods(subscription: $id, count: 1) { id }');
  }

  /**
   * Waives the payment of a round as the merchant, unless it is paid first. Ends without a result if the
   * payment is not written within a minute.
   */
  async waivePayment(round: number): Promise<void> {
    const attempt = async () => {
      const payment = await this.#paymentOfToday();
      if (!payment) throw new Error('the payment is not written yet');
      if (payment.status === 'DUE') await this.#change(`waivePayment(paymentId: "${payment.id}") { id }`);
      if (payment.status === 'DUE' || payment.status === 'WAIVED') this.waived.push(round);
    };
    await this.#repeat(attempt).catch(() => undefined);
  }

  /** Gives the subscription a discount as the merchant. */
  async applyDiscount(name: DiscountName): Promise<void> {
    const apply = `applyDiscount(subscription: $id, discountId: "${this.#discountId(name)}") { id }`;
    await this.#once(
      () => this.#change(apply),
      async () => {
        const { discount, payments } = await this.#read<{
          discount: object | null;
          payments: { edges: { node: { lines: { kind: string }[] } }[] };
        }>('discount { from } payments(first: 5) { edges { node { lines { kind } } } }');
        const lines = payments.edges.flatMap(({ node }) => node.lines);
        return discount !== null || lines.some(({ kind }) => kind === 'DISCOUNT');
      },
    );
  }

  /** Takes the discount away as the merchant. */
  async removeDiscount(): Promise<void> {
    await this.#repeat(() => this.#change('removeDiscount(subscription: $id) { id }'));
  }

  /** The payment that has been due for less than half a day. */
  async #paymentOfToday(): Promise<{ readonly id: string; readonly status: string } | undefined> {
    const { payments } = await this.#read<{
      payments: { edges: { node: { id: string; status: string; dueAt: string } }[] };
    }>('payments(first: 5) { edges { node { id status dueAt } } }');
    const since = this.#world.network.nowMs() - (DAY_SECONDS * 1000) / 2;
    return payments.edges.map(({ node }) => node).find(({ dueAt }) => Date.parse(dueAt) > since);
  }

  /** Reads the subscription as the merchant. */
  async #read<T>(fields: string): Promise<T> {
    const query = `query ($id: ID!) { subscription(id: $id) { ${fields} } }`;
    return (await this.#asMerchant<{ subscription: T }>(query)).subscription;
  }

  /** Makes a mutation with the subscription as the merchant. */
  async #change(mutation: string): Promise<void> {
    const variables = mutation.includes('$id') ? '($id: ID!)' : '';
    await this.#asMerchant(`mutation ${variables} { ${mutation} }`);
  }

  #asMerchant<T>(document: string): Promise<T> {
    const variables = document.includes('$id') ? { id: this.subscription } : {};
    return this.#merchant.graphql.request<T>(document, variables);
  }

  async #isCompleted(sessionId: string): Promise<boolean> {
    return (await this.#readSession(sessionId)).status === 'completed';
  }

  async #readSession(sessionId: string): Promise<{
    readonly status: string;
    readonly discount: { readonly price: string } | null;
  }> {
    const response = await fetch(`${this.#world.apiUrl}/api/checkout/${sessionId}`);
    if (!response.ok) throw new Error(`the checkout was answered with ${response.status}`);
    return (await response.json()) as { status: string; discount: { price: string } | null };
  }

  /** The Unix seconds at which the subscription ends on chain; 0 if it was not cancelled. */
  async #readExpiresAt(): Promise<bigint> {
    const account = await this.#connection.getAccountInfo(new PublicKey(this.subscription), 'confirmed');
    return account?.data.readBigInt64LE(EXPIRES_AT_OFFSET) ?? 0n;
  }

  #repeat<T>(act: () => Promise<T>, options: RepeatOptions = {}): Promise<T | undefined> {
    return repeatUntilDone(this.#world.tally, act, options);
  }

  /** Makes a change that must not be made twice: an answer may be lost, so each attempt asks first. */
  async #once(change: () => Promise<void>, isDone: () => Promise<boolean>): Promise<void> {
    await this.#repeat(async () => {
      if (!(await isDone())) await change();
    });
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
      'skips a payment': (customer) => customer.skipPayment(),
      'gets a period for free': (customer) => customer.grantFreePeriod(),
      'pauses, and resumes with a payment': (customer) => customer.pause(),
      'cannot pay, and the payment is waived': (customer) => customer.setBalance(0n),
      'gets a discount': (customer) => customer.applyDiscount('TWICE'),
      'loses its discount during collection': (customer) => customer.applyDiscount('ALWAYS'),
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

  /** Does at the same time what is only in the rows of dues. */
  async meanwhileInRows(round: number): Promise<void> {
    await this.#act(round, {
      'pauses, and resumes with a payment': (customer) => customer.endPause(),
      'cannot pay, and the payment is waived': (customer) => customer.waivePayment(round),
      'the payment is waived during collection': (customer) => customer.waivePayment(round),
      'gets a discount during collection': (customer) => customer.applyDiscount('ONE'),
      'loses its discount during collection': (customer) => customer.removeDiscount(),
    });
  }

  /** Tops up customers, and repairs approvals, after the first attempt has failed. */
  async rescue(round: number): Promise<void> {
    await this.#act(round, {
      'no money, topped up after the first attempt': (customer) => customer.setBalance(FULL_BALANCE),
      'approval revoked and repaired': (customer) => customer.repairApproval(),
      'loses its money during collection': (customer) => customer.setBalance(FULL_BALANCE),
      'one wallet, two subscriptions, money for one': (customer) => customer.setBalance(FULL_BALANCE),
      'cannot pay, and the payment is waived': async (customer) => {
        await customer.waivePayment(round);
        // It would be charged if it were not waived.
        await customer.setBalance(FULL_BALANCE);
      },
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
