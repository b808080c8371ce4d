import type { AppContext } from '../../../app.ts';
import type { Scope } from '../../../domain/kernel/access/scope.ts';
import { lastPositions } from '../../../domain/messages/event/read-events.ts';
import { EventFeed } from './event-feed.ts';

/** Interval of the check for lost wake-up messages: the maximum delay of an event. */
const CHECK_EVERY_MS = 2_000;

interface OpenFeed {
  readonly feed: EventFeed;
  followers: number;
}

/** One feed for each merchant and environment with a subscriber in this process. */
export class EventFeeds {
  readonly #app: AppContext;
  readonly #open = new Map<string, OpenFeed>();
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;

  constructor(app: AppContext) {
    this.#app = app;
  }

  /**
   * Returns the feed of a merchant and environment; `last` is the last known position. The caller
   * must call `leave` when it no longer needs the feed.
   */
  follow(scope: Scope, last: bigint): EventFeed {
    const open = this.#open.get(keyOf(scope)) ?? this.#start(scope, last);
    open.followers++;
    if (last > open.feed.head) open.feed.check();
    return open.feed;
  }

  leave({ scope }: EventFeed): void {
    const open = this.#open.get(keyOf(scope));
    if (!open || --open.followers > 0) return;
    this.#open.delete(keyOf(scope));
    void open.feed.close();
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #start(scope: Scope, last: bigint): OpenFeed {
    const open: OpenFeed = { feed: new EventFeed(this.#app, scope, last), followers: 0 };
    this.#open.set(keyOf(scope), open);
    void open.feed.listen();
    this.#timer ??= setInterval(() => {
      this.#checking ??= this.#check().finally(() => {
        this.#checking = undefined;
      });
    }, CHECK_EVERY_MS);
    return open;
  }

  /** Reads the last position of all streams at once, in case a wake-up message was lost. */
  async #check(): Promise<void> {
    try {
      const feeds = [...this.#open.values()].map(({ feed }) => feed);
      for (const { last, ...scope } of await lastPositions(
        this.#app.db,
        feeds.map(({ scope }) => scope),
      )) {
        this.#open.get(keyOf(scope))?.feed.noteLastPosition(last);
      }
      for (const { feed } of this.#open.values()) void feed.listen();
    } catch (err) {
      this.#app.log.warn({ err }, 'last positions of event streams not read');
    }
  }
}

function keyOf({ merchantId, environment }: Scope): string {
  return `${merchantId}/${environment}`;
}
