import type { Address, Signature } from '@solana/kit';
import type { AppContext } from '../../src/app.ts';
import { accountKind, decodeAuthority, decodeSubscription } from '../../src/chain/accounts/accounts.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { type ChainTransaction, readTransaction } from '../../src/chain/rpc/chain-transaction.ts';
import type { Observation } from '../../src/domain/billing/lifecycle/apply-observations.ts';
import { observeSubscriptions } from '../../src/domain/checkout/completion/observe-subscriptions.ts';
import type { Environment } from '../../src/generated/prisma/client.ts';
import { AccountBatches, type Leftover } from '../order/account-batches.ts';
import { batchItems } from '../order/batch-items.ts';
import { type CompleteBlock, FinishedPrefix } from '../order/finished-prefix.ts';
import { KeyedWork } from '../order/keyed-work.ts';
import type { SeenAccount } from '../order/seen-account.ts';
import { findRelevantAccounts, type NamedAccount } from '../relevant-accounts.ts';
import { applyAccount } from './apply-account.ts';
import { applySubscriptions, type SeenSubscription, seenSubscription } from './apply-subscriptions.ts';
import {
  createTouchedAccountCheck,
  createTransferSettlement,
  partsOf,
  type Touch,
  type TransactionPart,
} from './apply-transaction.ts';
import { readFresh } from './read-fresh.ts';
import { type Subject, setAside, type Unapplied } from './set-aside.ts';

/**
 * Each running task uses one or two database connections; more tasks would starve the other roles
 * of the process.
 */
const WORK = { parallel: 6, pending: 4_000 };
/**
 * The writes of a slot arrive within a few milliseconds, so a batch waits for them only briefly. A
 * batch that is being written delays the next one anyway.
 */
const ACCOUNTS = { waitMs: 5, batch: 1_000, pending: 10_000 };
/**
 * Maximum remembered signatures: a few minutes of a busy program. A transaction with a remembered
 * signature is skipped.
 */
const MAX_REMEMBERED = 50_000;

/**
 * Applies the updates that are seen on one environment's chain: those of one account in order,
 * those of different accounts in parallel. An update that cannot be applied is set aside and does
 * not delay others. If the database is unreachable, the mirror stops, its position stays before the
 * unfinished updates, and `onFailure` is called once.
 */
export class Mirror {
  readonly ctx: AppContext;
  readonly chain: Chain;
  readonly environment: Environment;
  #prefix: FinishedPrefix;
  #work: KeyedWork;
  #accounts: AccountBatches;
  #settleTransfers: ReturnType<typeof createTransferSettlement>;
  #checkTouched: (touch: Touch) => Promise<void>;
  #observe: (observation: Observation) => Promise<void>;
  #remembered = new Set<Signature>();
  /**
   * The oldest slot with an update that was neither applied nor set aside; the position is held
   * before it.
   */
  #refused: Refused | undefined;

  constructor(
    ctx: AppContext,
    chain: Chain,
    { position, onFailure }: { position: bigint | undefined; onFailure: (error: unknown) => void },
  ) {
    this.ctx = ctx;
    this.chain = chain;
    this.environment = chain.environment;
    this.#prefix = new FinishedPrefix(position);
    this.#work = new KeyedWork(WORK, onFailure);
    this.#accounts = new AccountBatches(ACCOUNTS, (batch) => this.#applyAccounts(batch), onFailure);
    this.#settleTransfers = createTransferSettlement(ctx, this.environment);
    this.#checkTouched = createTouchedAccountCheck(ctx, chain);
    // No wait is needed: all observations of a batch of accounts arrive at once.
    this.#observe = batchItems(0, async (observations) => {
      const failures = await observeSubscriptions(ctx, this.environment, observations);
      return observations.map(({ address }) => failures.get(address));
    });
  }

  /** The newest block up to which everything was applied or set aside. */
  get position(): bigint | undefined {
    return this.#prefix.slot;
  }

  /** The chain's time at the position, in unix seconds, or earlier; undefined if it is not known. */
  get positionTime(): bigint | undefined {
    return this.#prefix.time;
  }

  /** Whether an update was refused: neither applied nor set aside. */
  get hasRefused(): boolean {
    return this.#refused !== undefined;
  }

  /**
   * Returns and forgets the oldest slot with an update that was refused, because too many were set
   * aside; undefined if none was. The remembered signatures are forgotten, so no transaction is
   * skipped. The caller must read everything since the slot again, and then release the position.
   */
  takeRefused(): Refused | undefined {
    const refused = this.#refused;
    this.#refused = undefined;
    if (refused) this.#remembered.clear();
    return refused;
  }

  /** Keeps the position before `slot` until the returned function is called. */
  hold(slot: bigint): () => void {
    return this.#prefix.begin(slot);
  }

  /** Records that all updates of the blocks up to this one were passed in. */
  completeBlock(block: CompleteBlock): void {
    this.#prefix.complete(block);
  }

  /**
   * Applies the state of an account. Resolves to true when the state, or a newer one, was applied,
   * set aside or refused. Resolves to false if it was dropped; the position then stays before it.
   */
  async addAccount(seen: SeenAccount): Promise<boolean> {
    const finish = this.#prefix.begin(seen.slot);
    const isDone = await this.#accounts.add(seen);
    if (isDone) finish();
    return isDone;
  }

  /**
   * Applies a transaction. Resolves as `addAccount` does, and to true at once if the transaction
   * was passed in recently.
   */
  async addTransaction(transaction: ChainTransaction): Promise<boolean> {
    const { signature, slot } = transaction;
    if (this.#remembered.has(signature)) return true;
    this.#remember(signature);
    const subject = { kind: 'transaction', signature } as const;
    let parts: TransactionPart[];
    try {
      parts = partsOf(transaction);
    } catch (error) {
      return this.#applyOrSetAside(signature, { subject, slot }, () => Promise.reject(error));
    }
    const done = await Promise.all(parts.map((part) => this.#addPart(transaction, part, subject)));
    return done.every(Boolean);
  }

  /** Whether the transaction was passed in recently. */
  hasSeen(signature: Signature): boolean {
    return this.#remembered.has(signature);
  }

  /** Sets aside an update that could not be read. */
  setAsideUnreadable(unapplied: Unapplied, error: unknown): Promise<boolean> {
    return this.#applyOrSetAside(`set aside ${JSON.stringify(unapplied.subject)}`, unapplied, () =>
      Promise.reject(error),
    );
  }

  /** Reads a subject again and applies it. Rejects if that fails; nothing else is affected. */
  async applyAgain(subject: Subject, slot: bigint): Promise<void> {
    if (subject.kind === 'account') {
      const { address, touched } = subject;
      return this.#inTurn(address, async () => {
        // An authority is read too: this fails while the node is behind and may still show an
        // authority that is closed.
        const [seen] = await readFresh(this.chain, [address], slot);
        if (touched) return this.#checkTouched({ slot, touched });
        if (seen) await applyAccount(this.ctx, this.environment, seen);
      });
    }
    const transaction = await readTransaction(this.chain, subject.signature as Signature);
    if (!transaction) throw new Error(`The node does not have the transaction ${subject.signature}`);
    for (const part of partsOf(transaction)) {
      await this.#inTurn(keyOf(part), () => this.#apply(transaction, part), 'gathered');
    }
  }

  /** Runs a task in order with the other tasks of its key. A failure stops the mirror. */
  run(key: string, task: () => Promise<void>): Promise<boolean> {
    return this.#work.add(key, task);
  }

  /** Waits until the mirror accepts more. */
  async waitForRoom(): Promise<void> {
    await this.#accounts.waitForRoom();
    await this.#work.waitForRoom();
  }

  /** Waits until everything passed in so far is finished or dropped. */
  async waitUntilFinished(): Promise<void> {
    // Accounts also wait for the work that their batches add meanwhile.
    await this.#work.waitUntilFinished();
    await this.#accounts.waitUntilFinished();
  }

  /** Whether it failed or was stopped. */
  get isStopped(): boolean {
    return this.#accounts.isStopped || this.#work.isStopped;
  }

  /** Starts no more tasks. */
  stop(): void {
    this.#accounts.stop();
    this.#work.stop();
  }

  /**
   * Applies a batch of accounts: subscriptions together, and other accounts, few of which are ours,
   * one by one.
   */
  async #applyAccounts(batch: readonly SeenAccount[]): Promise<Leftover> {
    const leftover = new Map<Address, Promise<boolean>>();
    const subscriptions: SeenSubscription[] = [];
    const others: SeenAccount[] = [];
    for (const seen of batch) {
      const { data } = seen;
      if (data && accountKind(data) === 'subscription')
        subscriptions.push(seenSubscription({ ...seen, data }));
      else others.push(seen);
    }
    const relevant = await findRelevantAccounts(this.ctx, this.environment, others.map(namedAccount));
    for (const seen of others) {
      if (!relevant.has(seen.address)) continue;
      const apply = () => applyAccount(this.ctx, this.environment, seen);
      leftover.set(seen.address, this.#addAccountTask(seen, apply, 'singly'));
    }
    const changed = await applySubscriptions(this.ctx, this.environment, subscriptions);
    for (const { seen } of changed) {
      const { address, slot, data } = seen;
      const observe = async () => this.#observe({ address, slot, account: data && decodeSubscription(data) });
      leftover.set(address, this.#addAccountTask(seen, observe, 'gathered'));
    }
    return leftover;
  }

  #addAccountTask(
    { address, slot, data }: SeenAccount,
    apply: () => Promise<void>,
    mode: TaskMode,
  ): Promise<boolean> {
    const subject = { kind: 'account', address } as const;
    const unapplied = { subject, slot, ...(data && { data: Buffer.from(data).toString('base64') }) };
    return this.#applyOrSetAside(address, unapplied, apply, mode);
  }

  #addPart(transaction: ChainTransaction, part: TransactionPart, subject: Subject): Promise<boolean> {
    const { slot } = transaction;
    // A touched account is read again by its address, so the transaction is not stored.
    const partSubject: Subject =
      part.kind === 'transfers'
        ? subject
        : { kind: 'account', address: part.touched.address, touched: part.touched };
    const apply = () => this.#apply(transaction, part);
    return this.#applyOrSetAside(keyOf(part), { subject: partSubject, slot }, apply, 'gathered');
  }

  #apply(transaction: ChainTransaction, part: TransactionPart): Promise<void> {
    return part.kind === 'transfers'
      ? this.#settleTransfers(part.seen)
      : this.#checkTouched({ slot: transaction.slot, touched: part.touched });
  }

  #applyOrSetAside(
    key: string,
    unapplied: Unapplied,
    apply: () => Promise<void>,
    mode: TaskMode = 'singly',
  ): Promise<boolean> {
    const finish = this.#prefix.begin(unapplied.slot);
    return this.#add(key, mode, async () => {
      const isFinished = await apply().then(
        () => true,
        (error: unknown) => setAside(this.ctx, this.environment, unapplied, error),
      );
      // One held slot covers all refused updates, so memory does not grow with their number.
      if (!isFinished) this.refuse(unapplied.slot);
      finish();
    });
  }

  /** Holds the position before `slot` until the caller of `takeRefused` releases it. */
  refuse(slot: bigint): void {
    const before = this.#refused;
    if (before && before.slot <= slot) return;
    this.#refused = { slot, release: this.#prefix.begin(slot) };
    before?.release();
  }

  /** Runs a task in order with the others of its key. Rejects with the task's error. */
  async #inTurn(key: string, task: () => Promise<void>, mode: TaskMode = 'singly'): Promise<void> {
    let failure: { error: unknown } | undefined;
    const done = await this.#add(key, mode, () =>
      task().catch((error: unknown) => {
        failure = { error };
      }),
    );
    if (failure) throw failure.error;
    if (!done) throw new Error('The mirror has been stopped');
  }

  #add(key: string, mode: TaskMode, task: () => Promise<void>): Promise<boolean> {
    return mode === 'gathered' ? this.#work.addGathered(key, task) : this.#work.add(key, task);
  }

  #remember(signature: Signature): void {
    this.#remembered.add(signature);
    if (this.#remembered.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#remembered;
    if (oldest) this.#remembered.delete(oldest);
  }
}

/** Everything since this slot must be read again; `release` lets the position pass it. */
interface Refused {
  readonly slot: bigint;
  readonly release: () => void;
}

/** How a task runs: alone, or in a batch with others of its kind. */
type TaskMode = 'singly' | 'gathered';

/**
 * The key by which a part is ordered. A touched account has the key of the account's updates.
 * Transfers need no order, because they are only added up, so each transaction has its own key.
 */
function keyOf(part: TransactionPart): string {
  return part.kind === 'transfers' ? part.seen.signature : part.touched.address;
}

/** The fields with which the lookup decides whether the account is ours. */
function namedAccount({ address, data }: SeenAccount): NamedAccount {
  return data && accountKind(data) === 'authority'
    ? { address, wallet: decodeAuthority(data).user }
    : { address };
}
