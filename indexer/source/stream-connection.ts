import type { AppContext } from '../../src/app.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { readNearSlot } from '../../src/chain/rpc/read-slot.ts';
import type { BlockUpdate, ChainStream, StreamUpdate } from '../../src/chain/rpc/yellowstone.ts';
import { knownSlot, MAX_SLOTS_AHEAD } from '../../src/domain/chain-state/mirror/known-slot.ts';
import { Mirror } from '../apply/mirror.ts';
import { TopUps } from '../apply/top-ups.ts';
import { BlockSequence } from '../order/block-sequence.ts';
import { accountFromStream } from '../order/seen-account.ts';
import { repeatEvery, repeatWhenDue } from '../pause.ts';
import { catchUp } from '../repair/catch-up.ts';
import { compareInTurn } from '../repair/comparison.ts';
import { createRefusedRetry } from '../repair/retry-refused.ts';
import { retryUnapplied } from '../repair/retry-unapplied.ts';
import { searchMissedTransactions } from '../repair/search-missed-transactions.ts';
import type { Schedule } from '../schedule.ts';
import { savePosition } from '../stream-position.ts';
import type { Timings } from '../timings.ts';

const RECHECK_DELAY_MS = 500;

/** What one connection passes on to the next. */
export interface Continued {
  /** The position at the beginning of the connection; undefined if nothing was ever mirrored. */
  readonly position: bigint | undefined;
  /** Whether updates since the position are read even if the first block shows no gap. */
  readonly catchUpAnyway: boolean;
  /** The rounds of the comparison. */
  readonly rounds: Schedule;
  /** The searches for missed transactions. */
  readonly searches: Schedule;
}

/** One connection, from its first to its last update: phases 2 to 4 of stream.ts. */
export class StreamConnection {
  #ctx: AppContext;
  #chain: Chain;
  #timings: Timings;
  #stream: ChainStream;
  #mirror: Mirror;
  #blocks: BlockSequence;
  #topUps: TopUps;
  /** Aborts at the end of the connection, whatever the cause. */
  #over = new AbortController();
  #failure: { error: unknown } | undefined;
  #continued: Continued;
  #hadBlocks = false;
  /** The reason why the stream's blocks are refused. */
  #refusal: string | undefined;
  /** The newest block that was accepted. */
  #last: bigint | undefined;
  /** The newest block since the position was last stored. */
  #receivedSlot: bigint | undefined;
  /** Number of open gaps. */
  #gaps = 0;
  /** Gaps are closed in turn. */
  #catchingUp: Promise<void> = Promise.resolve();
  #background: Promise<void>[] = [];
  #watchdog: NodeJS.Timeout | undefined;

  constructor(ctx: AppContext, chain: Chain, timings: Timings, stream: ChainStream, continued: Continued) {
    const { position } = continued;
    this.#ctx = ctx;
    this.#chain = chain;
    this.#timings = timings;
    this.#stream = stream;
    this.#mirror = new Mirror(ctx, chain, { position, onFailure: (error) => this.#fail(error) });
    this.#blocks = new BlockSequence(position);
    this.#continued = continued;
    this.#topUps = new TopUps(this.#mirror, { maxStreamed: chain.config.maxWatchedAccounts });
  }

  /** Whether the position has advanced. */
  get hasMoved(): boolean {
    return this.#mirror.position !== this.#continued.position;
  }

  /** Reads until the stream ends; rejects if the stream or any work on its updates failed. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = () => {
      this.#mirror.stop();
      this.#end();
    };
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    this.#feedWatchdog();
    this.#startHousekeeping();
    try {
      for await (const update of this.#stream) {
        await this.#mirror.waitForRoom();
        if (update.type === 'block' && this.#isLeap(update.slot)) await this.#assertSameChain(update.slot);
        this.#take(update);
      }
    } finally {
      this.#end();
      signal.removeEventListener('abort', stop);
      await Promise.all([...this.#background, this.#catchingUp]);
      await this.#mirror.waitUntilFinished();
      await this.#savePosition();
    }
    if (this.#failure) throw this.#failure.error;
  }

  /** Whether a block is the first, or so far ahead that the stream may be of another cluster. */
  #isLeap(slot: bigint): boolean {
    return this.#last === undefined || slot > this.#last + MAX_SLOTS_AHEAD;
  }

  /** Checks that the stream is of this cluster, before its slots become the known ones. */
  async #assertSameChain(slot: bigint): Promise<void> {
    const known = await knownSlot(this.#ctx, this.#chain.environment);
    const ownSlot = await readNearSlot(this.#chain, known);
    if (slot <= ownSlot + MAX_SLOTS_AHEAD) return;
    this.#refusal = `The stream is at slot ${slot}, and the RPC node at ${ownSlot}: the node is far behind, or the two belong to different clusters`;
    throw new Error(this.#refusal);
  }

  #take(update: StreamUpdate): void {
    switch (update.type) {
      case 'account':
        if (update.source === 'program') void this.#mirror.addAccount(accountFromStream(update));
        else void this.#mirror.run(update.address, () => this.#topUps.applyState(update));
        break;
      case 'transaction':
        void this.#mirror.addTransaction(update.transaction);
        break;
      case 'block':
        this.#takeBlock(update);
        break;
    }
  }

  #takeBlock(block: BlockUpdate): void {
    this.#feedWatchdog();
    const link = this.#blocks.next(block);
    const { environment } = this.#chain;
    const { position: start, catchUpAnyway } = this.#continued;
    if (!this.#hadBlocks && start !== undefined && block.slot < start) {
      const slots = { position: `${start}`, block: `${block.slot}` };
      this.#ctx.log.error({ environment, ...slots }, 'stream behind the stored position: another cluster?');
    }
    if (link.kind === 'gap') {
      const { after, until } = link;
      // On the very first start there is no position, so nothing was missed.
      if (after !== undefined) {
        this.#ctx.log.warn({ environment, after: `${after}`, until: `${until}` }, 'blocks missed');
      }
      this.#catchUp(after, until);
    } else if (!this.#hadBlocks && catchUpAnyway) {
      this.#catchUp(this.#mirror.position, block.parentSlot);
    }
    this.#hadBlocks = true;
    this.#last = block.slot;
    this.#receivedSlot = block.slot;
    if (link.kind !== 'known') {
      this.#mirror.completeBlock({ slot: block.slot, time: block.blockTime ?? undefined });
    }
  }

  /** Reads the updates between two slots; the position stays before them until that is done. */
  #catchUp(after: bigint | undefined, until: bigint): void {
    const done = this.#mirror.hold(after === undefined ? 0n : after + 1n);
    this.#gaps += 1;
    this.#catchingUp = this.#catchingUp.then(async () => {
      if (this.#over.signal.aborted) return;
      try {
        await catchUp(this.#mirror, { since: after, minSlot: until });
        this.#gaps -= 1;
        done();
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  #startHousekeeping(): void {
    const { housekeepingMs, topUpsMs, retryUnappliedMs } = this.#timings;
    const { position: start, rounds, searches } = this.#continued;
    const { environment } = this.#chain;
    const { signal } = this.#over;
    const logFailure = (err: unknown) => {
      if (!signal.aborted) this.#ctx.log.error({ err, environment }, 'indexer housekeeping failed');
    };
    const repeat = (ms: number, task: () => Promise<void>) => repeatEvery(ms, signal, task, logFailure);
    this.#background = [
      compareInTurn(this.#mirror, { rounds }, signal, logFailure),
      repeat(housekeepingMs, () => this.#savePosition()),
      repeat(topUpsMs, () => this.#followPastDue()),
      repeat(retryUnappliedMs, () => retryUnapplied(this.#mirror)),
      repeat(retryUnappliedMs, createRefusedRetry(this.#mirror, retryUnappliedMs)),
      repeatWhenDue(searches, signal, () => searchMissedTransactions(this.#mirror, start), logFailure),
    ];
  }

  async #followPastDue(): Promise<void> {
    const toWatch = await this.#topUps.refresh();
    if (toWatch) await this.#stream.watchTokenAccounts(toWatch);
    await this.#topUps.readInTurn();
  }

  async #savePosition(): Promise<void> {
    const { position, positionTime: time } = this.#mirror;
    if (position === undefined) return;
    const receivedSlot = this.#receivedSlot;
    this.#receivedSlot = undefined;
    await savePosition(this.#ctx, this.#chain.environment, position, {
      receivedSlot,
      time,
      doubt: this.#doubt(),
    });
  }

  /** A text about the updates that may have been missed; null if there are none. */
  #doubt(): string | null {
    if (this.#refusal) return this.#refusal;
    if (this.#over.signal.aborted) return 'the stream has ended and will be reopened';
    if (!this.#hadBlocks) return 'the stream is open, but no block has arrived yet';
    return this.#gaps > 0 ? 'blocks were missed and are being read' : null;
  }

  #feedWatchdog(): void {
    const { blockTimeoutMs } = this.#timings;
    clearTimeout(this.#watchdog);
    if (this.#over.signal.aborted) return;
    const failLate = () => this.#fail(new Error(`The stream showed no block for ${blockTimeoutMs} ms`));
    this.#watchdog = setTimeout(() => {
      // Our process may have stalled, so waiting updates are read before the stream is closed.
      this.#watchdog = setTimeout(failLate, RECHECK_DELAY_MS);
    }, blockTimeoutMs);
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#end();
  }

  #end(): void {
    clearTimeout(this.#watchdog);
    this.#over.abort();
    this.#stream.close();
  }
}
