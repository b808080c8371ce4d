import type { AppContext } from '../../../app.ts';
import type { Scope } from '../../../domain/kernel/access/scope.ts';
import { readEvents, type StreamedEvent } from '../../../domain/messages/event/read-events.ts';
import type { LivePayload } from '../../../live/live.ts';
import type { LiveSubscription } from '../../../live/live-subscription.ts';

/** Events read from the database per page. */
const PAGE_SIZE = 50;
/** Maximum recent events that are kept for subscribers which are nearly up to date. */
const MAX_RECENT = 256;

/**
 * The newest part of one merchant's event stream, read once for all subscribers in this process.
 * Recent events are kept in memory; subscribers further behind read pages of their own.
 */
export class EventFeed {
  readonly scope: Scope;
  readonly #app: AppContext;
  readonly #pages = new Map<bigint, Promise<StreamedEvent[]>>();
  readonly #waiting = new Set<() => void>();
  /** Consecutive events up to the head; may be empty. */
  #recent: StreamedEvent[] = [];
  #head: bigint;
  #hints: LiveSubscription<LivePayload<'event.recorded'>> | undefined;
  #isReading = false;
  #readAgain = false;
  #lastChecked = -1n;
  #isClosed = false;

  constructor(app: AppContext, scope: Scope, head: bigint) {
    this.#app = app;
    this.scope = scope;
    this.#head = head;
  }

  /** The newest known position. */
  get head(): bigint {
    return this.#head;
  }

  /** The event after a position, if it is still kept. */
  following(position: bigint): StreamedEvent | undefined {
    const first = this.#recent[0];
    const event = first && this.#recent[Number(position + 1n - first.position)];
    return event?.position === position + 1n ? event : undefined;
  }

  /**
   * Reads a page of events after a position. Concurrent calls share one read: after a restart all
   * subscribers read at once.
   */
  page(after: bigint): Promise<StreamedEvent[]> {
    const pendingRead = this.#pages.get(after);
    if (pendingRead) return pendingRead;
    const page = readEvents(this.#app.db, this.scope, after, PAGE_SIZE).finally(() =>
      this.#pages.delete(after),
    );
    this.#pages.set(after, page);
    return page;
  }

  /** Calls the listener once, when there are new events. */
  wait(listener: () => void): void {
    this.#waiting.add(listener);
  }

  /** Cancels a `wait`. */
  cancelWait(listener: () => void): void {
    this.#waiting.delete(listener);
  }

  /**
   * Checks for events at every live message about a new event, until the connection for live
   * messages breaks.
   */
  async listen(): Promise<void> {
    if (this.#hints || this.#isClosed) return;
    const hints = this.#app.live.subscribe('event.recorded', this.scope);
    this.#hints = hints;
    try {
      await hints.ready;
      this.check();
      for await (const _ of hints) this.check();
    } catch (err) {
      // The next periodic check of the database finds what was missed and calls `listen` again.
      this.#app.log.debug({ err, ...this.scope }, 'live updates of event feed interrupted');
    } finally {
      await hints.return();
      this.#hints = undefined;
    }
  }

  /** Takes the last position that a periodic check found in the database. */
  noteLastPosition(last: bigint): void {
    if (last > this.#head) this.check();
    // No new events since the last check: the kept events are dropped, and late subscribers read
    // pages.
    else if (last === this.#lastChecked) this.#recent = [];
    this.#lastChecked = last;
  }

  /** Reads new events. Calls during a read cause one more read. */
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
        if (page.length > 0) this.#append(page);
        this.#readAgain ||= page.length === PAGE_SIZE;
      }
    } catch (err) {
      this.#app.log.warn({ err, ...this.scope }, 'events not read');
    } finally {
      this.#isReading = false;
    }
  }

  #append(page: readonly StreamedEvent[]): void {
    this.#recent = [...this.#recent, ...page].slice(-MAX_RECENT);
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
