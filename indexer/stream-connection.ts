import type { AppContext } from '../src/app.ts';
import type { Chain } from '../src/chain/chain.ts';
import type { BlockUpdate, ChainStream, StreamUpdate } from '../src/chain/yellowstone.ts';
import { BlockLine } from './block-line.ts';
import { Mirror } from './mirror.ts';
import { every } from './pause.ts';
import { reconcile, reconcileAgain } from './reconcile.ts';
import { retryUnapplied } from './retry-unapplied.ts';
import { seenOnStream } from './seen-account.ts';
import { savePosition } from './stream-position.ts';
import type { Timing } from './timing.ts';
import { TopUps } from './top-ups.ts';

const SECOND_LOOK_MS = 500;

/** One connection, from its first update to its last: phases 2 to 4 of stream.ts. */
export class StreamConnection {
  #ctx: AppContext;
  #chain: Chain;
  #timing: Timing;
  #stream: ChainStream;
  #mirror: Mirror;
  #line: BlockLine;
  #topUps: TopUps;
  /** Ends with the connection, whoever ends it. */
  #over = new AbortController();
  #failure: { error: unknown } | undefined;
  #reconcileAnyway = false;
  #start: bigint | undefined;
  #hadBlocks = false;
  /** The newest block that came since the position was stored. */
  #heard: bigint | undefined;
  /** Gaps that are not closed yet. */
  #gaps = 0;
  /** One gap after the other. */
  #catchingUp: Promise<void> = Promise.resolve();
  #background: Promise<void>[] = [];
  #watchdog: NodeJS.Timeout | undefined;

  constructor(
    ctx: AppContext,
    chain: Chain,
    timing: Timing,
    stream: ChainStream,
    position: bigint | undefined,
  ) {
    this.#ctx = ctx;
    this.#chain = chain;
    this.#timing = timing;
    this.#stream = stream;
    this.#mirror = new Mirror(ctx, chain, { position, onFailure: (error) => this.#fail(error) });
    this.#line = new BlockLine(position);
    this.#start = position;
    this.#topUps = new TopUps(this.#mirror, { mostStreamed: chain.config.maxWatchedAccounts });
  }

  /** Whether it got anything done. */
  get hasMoved(): boolean {
    return this.#mirror.position !== this.#start;
  }

  /** Reads until the stream ends; rejects where it broke, or anything that it takes did. */
  async run(signal: AbortSignal, { reconcileAnyway }: { reconcileAnyway: boolean }): Promise<void> {
    this.#reconcileAnyway = reconcileAnyway;
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
        await this.#mirror.room();
        this.#take(update);
      }
    } finally {
      this.#end();
      signal.removeEventListener('abort', stop);
      await Promise.all([...this.#background, this.#catchingUp]);
      await this.#mirror.finished();
      await this.#savePosition();
    }
    if (this.#failure) throw this.#failure.error;
  }

  #take(update: StreamUpdate): void {
    switch (update.type) {
      case 'account':
        if (update.source === 'program') void this.#mirror.account(seenOnStream(update));
        else void this.#mirror.run(update.address, () => this.#topUps.see(update));
        break;
      case 'transaction':
        void this.#mirror.transaction(update.transaction);
        break;
      case 'block':
        this.#takeBlock(update);
        break;
    }
  }

  #takeBlock(block: BlockUpdate): void {
    this.#feedWatchdog();
    const link = this.#line.next(block);
    const { environment } = this.#chain;
    if (!this.#hadBlocks && this.#start !== undefined && block.slot < this.#start) {
      const slots = { position: `${this.#start}`, block: `${block.slot}` };
      this.#ctx.log.error(
        { environment, ...slots },
        'the stream is behind the position: is it another chain?',
      );
    }
    if (link.kind === 'gap') {
      const { after, until } = link;
      // The very first start has no position to miss anything after.
      if (after !== undefined) {
        this.#ctx.log.warn({ environment, after: `${after}`, until: `${until}` }, 'blocks missed');
      }
      this.#catchUp(after, until);
    } else if (!this.#hadBlocks && this.#reconcileAnyway) {
      this.#catchUp(this.#mirror.position, block.parentSlot);
    }
    this.#hadBlocks = true;
    this.#heard = block.slot;
    if (link.kind !== 'known') this.#mirror.completeBlock(block.slot);
  }

  /** Reads what happened after a slot and up to another; the position stays before it until that is done. */
  #catchUp(after: bigint | undefined, until: bigint): void {
    const done = this.#mirror.hold(after === undefined ? 0n : after + 1n);
    this.#gaps += 1;
    this.#catchingUp = this.#catchingUp.then(async () => {
      if (this.#over.signal.aborted) return;
      try {
        await reconcile(this.#mirror, { since: after, minSlot: until });
        this.#gaps -= 1;
        done();
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  #startHousekeeping(): void {
    const { housekeepingMs, topUpsMs, retryUnappliedMs, reconcileMs } = this.#timing;
    const { environment } = this.#chain;
    const regularly = (ms: number, task: () => Promise<void>) =>
      every(ms, this.#over.signal, task, (err) => {
        if (this.#over.signal.aborted) return;
        this.#ctx.log.error({ err, environment }, 'indexer housekeeping failed');
      });
    this.#background = [
      regularly(housekeepingMs, () => this.#savePosition()),
      regularly(topUpsMs, () => this.#followPastDue()),
      regularly(retryUnappliedMs, () => retryUnapplied(this.#mirror, 'recent')),
      regularly(reconcileMs, async () => {
        await reconcileAgain(this.#mirror, this.#start);
        await retryUnapplied(this.#mirror, 'all');
      }),
    ];
  }

  async #followPastDue(): Promise<void> {
    const toWatch = await this.#topUps.refresh();
    if (toWatch) await this.#stream.watchTokenAccounts(toWatch);
    await this.#topUps.look();
  }

  async #savePosition(): Promise<void> {
    const { position } = this.#mirror;
    if (position === undefined) return;
    const heard = this.#heard;
    this.#heard = undefined;
    await savePosition(this.#ctx, this.#chain.environment, position, { heard, doubt: this.#doubt() });
  }

  /** What may have been missed, in words. */
  #doubt(): string | null {
    if (this.#over.signal.aborted) return 'the stream has ended, and is to be opened again';
    if (!this.#hadBlocks) return 'the stream is open, and no block has come yet';
    return this.#gaps > 0 ? 'blocks were missed, and what was in them is being read' : null;
  }

  #feedWatchdog(): void {
    const { blockTimeoutMs } = this.#timing;
    clearTimeout(this.#watchdog);
    if (this.#over.signal.aborted) return;
    const bark = () => this.#fail(new Error(`The stream showed no block for ${blockTimeoutMs} ms`));
    this.#watchdog = setTimeout(() => {
      // It may be us who did not look for so long: what has come meanwhile is seen before this is over.
      this.#watchdog = setTimeout(bark, SECOND_LOOK_MS);
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
