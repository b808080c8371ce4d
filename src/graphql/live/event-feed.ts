import { readEvents, type StreamedEvent } from '../../domain/event/read-events.ts';
import type { Scope } from '../../domain/merchant/scope.ts';
import type { LivePayload } from '../../jobs/live.ts';
import type { LiveSubscription } from '../../jobs/live-subscription.ts';
import type { GraphqlServer } from '../context.ts';

/** Events in one page out of the database. */
const PAGE = 50;
/** Events that are kept for readers who are nearly there. */
const RECENT = 256;

/**
 * The end of one merchant's stream of events, read once for all who follow it in this process. What came last is kept
 * for them; whoever is further behind reads pages of their own.
 */
export class EventFeed {
  readonly scope: Scope;
  readonly #app: GraphqlServer['app'];
  readonly #pages = new Map<bigint, Promise<StreamedEvent[]>>();
  readonly #waiting = new Set<() => void>();
  /** Without a gap up to the head, where there are any. */
  #recent: StreamedEvent[] = [];
  #head: bigint;
  #hints: LiveSubscription<LivePayload<'event.recorded'>> | undefined;
  #isReading = false;
  #readAgain = false;
  #lastLook = -1n;
  #isClosed = false;

  constructor(app: GraphqlServer['app'], scope: Scope, head: bigint) {
    this.#app = app;
    this.scope = scope;
    this.#head = head;
  }

  /** The last position that is known. */
  get head(): bigint {
    return this.#head;
  }

  /** The event after a position, where it is one of the last. */
  following(position: bigint): StreamedEvent | undefined {
    const first = this.#recent[0];
    const event = first && this.#recent[Number(position + 1n - first.position)];
    return event?.position === position + 1n ? event : undefined;
  }

  /** A page of what follows a position; shared by those who ask at the same time, as all do after a restart. */
  page(after: bigint): Promise<StreamedEvent[]> {
    const underWay = this.#pages.get(after);
    if (underWay) return underWay;
    const page = readEvents(this.#app.db, this.scope, after, PAGE).finally(() => this.#pages.delete(after));
    this.#pages.set(after, page);
    return page;
  }

  /** Calls back once, when there is something new. */
  wait(listener: () => void): void {
    this.#waiting.add(listener);
  }

  /** Takes back a `wait`. */
  ceaseToWait(listener: () => void): void {
    this.#waiting.delete(listener);
  }

  /** Is told that there is something new, as long as the connection holds that such news come by. */
  async listen(): Promise<void> {
    if (this.#hints || this.#isClosed) return;
    const hints = this.#app.live.subscribe('event.recorded', this.scope);
    this.#hints = hints;
    try {
      await hints.ready;
      this.check();
      for await (const _ of hints) this.check();
    } catch (err) {
      // The next look at the database makes up for what was missed meanwhile, and comes here again.
      this.#app.log.debug({ err, ...this.scope }, 'feed not woken by live updates');
    } finally {
      await hints.return();
      this.#hints = undefined;
    }
  }

  /** The database was looked at: the stream ends at `last`. */
  isKnownToEndAt(last: bigint): void {
    if (last > this.#head) this.check();
    // It is quiet: who has not read them by now is behind, and reads for itself.
    else if (last === this.#lastLook) this.#recent = [];
    this.#lastLook = last;
  }

  /** Reads what is new; any number of calls while it reads make it read once more. */
  check(): void {
    this.#readAgain = true;
    if (!this.#isReading) void this.#read();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#readAgain && !this.#isClosed) {
        this.#readAgain = false;
        const page = await this.page(this.#head);
        if (page.length > 0) this.#tell(page);
        this.#readAgain ||= page.length === PAGE;
      }
    } catch (err) {
      this.#app.log.warn({ err, ...this.scope }, 'events not read');
    } finally {
      this.#isReading = false;
    }
  }

  #tell(page: readonly StreamedEvent[]): void {
    this.#recent = [...this.#recent, ...page].slice(-RECENT);
    this.#head = page.at(-1)?.position ?? this.#head;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const listener of waiting) listener();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#hints?.return();
  }
}
