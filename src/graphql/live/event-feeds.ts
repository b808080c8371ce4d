import { lastPositions } from '../../domain/event/read-events.ts';
import type { Scope } from '../../domain/merchant/scope.ts';
import type { GraphqlServer } from '../context.ts';
import { EventFeed } from './event-feed.ts';

/** How long a wake-up that was lost may hold up an event. */
const LOOK_EVERY_MS = 2_000;

interface OpenFeed {
  readonly feed: EventFeed;
  followers: number;
}

/** One feed a merchant and environment that somebody in this process follows. */
export class EventFeeds {
  readonly #app: GraphqlServer['app'];
  readonly #open = new Map<string, OpenFeed>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(app: GraphqlServer['app']) {
    this.#app = app;
  }

  /** The feed of that stream, whose end was read to be at `last`; to be left again. */
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
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined;
      });
    }, LOOK_EVERY_MS);
    return open;
  }

  /** Asks for the ends of all streams at once, in case nobody told us. */
  async #look(): Promise<void> {
    try {
      const feeds = [...this.#open.values()].map(({ feed }) => feed);
      for (const { last, ...scope } of await lastPositions(
        this.#app.db,
        feeds.map(({ scope }) => scope),
      )) {
        this.#open.get(keyOf(scope))?.feed.isKnownToEndAt(last);
      }
      for (const { feed } of this.#open.values()) void feed.listen();
    } catch (err) {
      this.#app.log.warn({ err }, 'live streams of events not looked after');
    }
  }
}

function keyOf({ merchantId, environment }: Scope): string {
  return `${merchantId}/${environment}`;
}
