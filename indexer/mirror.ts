import type { Address, Signature } from '@solana/kit';
import type { AppContext } from '../src/app.ts';
import { accountKind, decodeSubscription } from '../src/chain/accounts.ts';
import type { Chain } from '../src/chain/chain.ts';
import { type ChainTransaction, readTransaction } from '../src/chain/chain-transaction.ts';
import { type Observation, observeSubscriptions } from '../src/domain/subscription/observe-subscriptions.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import { AccountBatches, type Leftover } from './account-batches.ts';
import { applyAccount } from './apply-account.ts';
import { applySubscriptions, type SeenSubscription, seenSubscription } from './apply-subscriptions.ts';
import { applyTouched, bookingTransfers, partsOf, type TransactionPart } from './apply-transaction.ts';
import { FinishedPrefix } from './finished-prefix.ts';
import { gather } from './gather.ts';
import { KeyedWork } from './keyed-work.ts';
import { readFresh } from './read-fresh.ts';
import type { SeenAccount } from './seen-account.ts';
import { type Subject, setAside, type Unapplied } from './set-aside.ts';

/** Every task that takes a place takes a database connection or two; more would starve the other roles of the process. */
const WORK = { parallel: 6, pending: 4_000 };
/** What a slot writes comes within a few milliseconds; a batch that is being written holds up the next one anyway. */
const ACCOUNTS = { waitMs: 5, batch: 1_000, pending: 10_000 };
/** Some minutes of a busy program: what comes again within them is not looked at again. */
const REMEMBERED = 50_000;

/**
 * Applies what is seen of one environment's chain: in order within an account, side by side across accounts. What
 * cannot be applied is set aside, and holds up nothing. The database being out of reach is another matter: then nothing
 * is finished, and `onFailure` is called, once.
 */
export class Mirror {
  readonly ctx: AppContext;
  readonly chain: Chain;
  readonly environment: Environment;
  #prefix: FinishedPrefix;
  #work: KeyedWork;
  #accounts: AccountBatches;
  #bookTransfers: ReturnType<typeof bookingTransfers>;
  #observe: (observation: Observation) => Promise<void>;
  #taken = new Set<Signature>();

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
    this.#bookTransfers = bookingTransfers(ctx, this.environment);
    // They come from one batch of accounts, all at once.
    this.#observe = gather(0, async (observations) => {
      const failures = await observeSubscriptions(ctx, this.environment, observations);
      return observations.map(({ address }) => failures.get(address));
    });
  }

  /** The newest block up to which everything has been applied or set aside. */
  get position(): bigint | undefined {
    return this.#prefix.slot;
  }

  /** Holds the position before `slot` until what this answers with is called. */
  hold(slot: bigint): () => void {
    return this.#prefix.begin(slot);
  }

  /** Everything of the blocks up to this one has been taken. */
  completeBlock(slot: bigint): void {
    this.#prefix.complete(slot);
  }

  /**
   * Resolves when it is over, or superseded by something newer that is; false where it was neither applied nor set
   * aside, and the position stays before it.
   */
  async account(seen: SeenAccount): Promise<boolean> {
    const finish = this.#prefix.begin(seen.slot);
    const isDone = await this.#accounts.add(seen);
    if (isDone) finish();
    return isDone;
  }

  /** As for `account`; a transaction that was taken not long ago is passed over. */
  async transaction(transaction: ChainTransaction): Promise<boolean> {
    const { signature, slot } = transaction;
    if (this.#taken.has(signature)) return true;
    this.#remember(signature);
    const subject = { kind: 'transaction', signature } as const;
    let parts: TransactionPart[];
    try {
      parts = partsOf(transaction);
    } catch (error) {
      return this.#take(signature, { subject, slot }, () => Promise.reject(error));
    }
    const done = await Promise.all(parts.map((part) => this.#part(transaction, part, subject)));
    return done.every(Boolean);
  }

  /** Whether the transaction has been taken not long ago. */
  hasTaken(signature: Signature): boolean {
    return this.#taken.has(signature);
  }

  /** Keeps something that could not even be read. */
  unreadable(unapplied: Unapplied, error: unknown): Promise<boolean> {
    return this.#take(`set aside ${JSON.stringify(unapplied.subject)}`, unapplied, () =>
      Promise.reject(error),
    );
  }

  /** Reads a subject again and applies it. Rejects where that is still not possible; nothing else is harmed. */
  async again(subject: Subject, slot: bigint): Promise<void> {
    if (subject.kind === 'account') {
      const { address, touched } = subject;
      return this.#inTurn(address, async () => {
        // By a node that has come as far, for an authority too: one that is behind says nothing against a close.
        const [seen] = await readFresh(this.chain, [address], slot);
        if (touched) return applyTouched(this.ctx, this.chain, slot, touched);
        if (seen) await applyAccount(this.ctx, this.environment, seen);
      });
    }
    const transaction = await readTransaction(this.chain, subject.signature as Signature);
    if (!transaction) throw new Error(`The node has no transaction ${subject.signature}`);
    for (const part of partsOf(transaction)) {
      await this.#inTurn(keyOf(part), () => this.#apply(transaction, part), howOf(part));
    }
  }

  /** Runs something of another kind in turn with everything else of this key. Its failure fails all. */
  run(key: string, task: () => Promise<void>): Promise<boolean> {
    return this.#work.add(key, task);
  }

  /** Waits until there is room for more. */
  async room(): Promise<void> {
    await this.#accounts.room();
    await this.#work.room();
  }

  /** Waits until everything that has been taken by now is finished, or dropped; not for what is taken meanwhile. */
  async finished(): Promise<void> {
    // What was touched is read, and is an account then.
    await this.#work.finished();
    await this.#accounts.finished();
  }

  /** Something failed, or it was told to. */
  get isStopped(): boolean {
    return this.#accounts.isStopped || this.#work.isStopped;
  }

  /** Starts nothing any more. */
  stop(): void {
    this.#accounts.stop();
    this.#work.stop();
  }

  /** Subscriptions together; of the rest there is little, and each is looked at by itself. */
  async #applyAccounts(batch: readonly SeenAccount[]): Promise<Leftover> {
    const leftover = new Map<Address, Promise<boolean>>();
    const subscriptions: SeenSubscription[] = [];
    for (const seen of batch) {
      const { address, data } = seen;
      if (data && accountKind(data) === 'subscription')
        subscriptions.push(seenSubscription({ ...seen, data }));
      else
        leftover.set(
          address,
          this.#applyOf(seen, () => applyAccount(this.ctx, this.environment, seen), 'singly'),
        );
    }
    const news = await applySubscriptions(this.ctx, this.environment, subscriptions);
    for (const { seen } of news) {
      const { address, slot, data } = seen;
      const observe = async () => this.#observe({ address, slot, account: data && decodeSubscription(data) });
      leftover.set(address, this.#applyOf(seen, observe, 'gathered'));
    }
    return leftover;
  }

  #applyOf({ address, slot, data }: SeenAccount, apply: () => Promise<void>, how: How): Promise<boolean> {
    const subject = { kind: 'account', address } as const;
    const unapplied = { subject, slot, ...(data && { data: Buffer.from(data).toString('base64') }) };
    return this.#take(address, unapplied, apply, how);
  }

  #part(transaction: ChainTransaction, part: TransactionPart, subject: Subject): Promise<boolean> {
    const { slot } = transaction;
    // A closed account is read by its address alone, so that is what is kept of it.
    const about: Subject =
      part.kind === 'transfers'
        ? subject
        : { kind: 'account', address: part.touched.address, touched: part.touched };
    const apply = () => this.#apply(transaction, part);
    return this.#take(keyOf(part), { subject: about, slot }, apply, howOf(part));
  }

  #apply(transaction: ChainTransaction, part: TransactionPart): Promise<void> {
    return part.kind === 'transfers'
      ? this.#bookTransfers(part.seen)
      : applyTouched(this.ctx, this.chain, transaction.slot, part.touched);
  }

  #take(
    key: string,
    unapplied: Unapplied,
    apply: () => Promise<void>,
    how: How = 'singly',
  ): Promise<boolean> {
    const finish = this.#prefix.begin(unapplied.slot);
    return this.#add(key, how, async () => {
      await apply().catch((error: unknown) => setAside(this.ctx, this.environment, unapplied, error));
      finish();
    });
  }

  /** In turn with the account's updates, but with an error of its own. */
  async #inTurn(key: string, task: () => Promise<void>, how: How = 'singly'): Promise<void> {
    let failure: { error: unknown } | undefined;
    const done = await this.#add(key, how, () =>
      task().catch((error: unknown) => {
        failure = { error };
      }),
    );
    if (failure) throw failure.error;
    if (!done) throw new Error('The mirror has been stopped');
  }

  #add(key: string, how: How, task: () => Promise<void>): Promise<boolean> {
    return how === 'gathered' ? this.#work.addGathered(key, task) : this.#work.add(key, task);
  }

  #remember(signature: Signature): void {
    this.#taken.add(signature);
    if (this.#taken.size <= REMEMBERED) return;
    const [oldest] = this.#taken;
    if (oldest) this.#taken.delete(oldest);
  }
}

/** By itself, or together with others of its kind. */
type How = 'singly' | 'gathered';

function howOf({ kind }: TransactionPart): How {
  return kind === 'transfers' ? 'gathered' : 'singly';
}

/** What a transaction touched takes turns with the updates of that account. Transfers need no turns: they add up. */
function keyOf(part: TransactionPart): string {
  return part.kind === 'transfers' ? part.seen.signature : part.touched.address;
}
