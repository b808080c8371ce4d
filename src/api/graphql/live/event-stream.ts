import type { EventPosition, StreamedEvent } from '../../../domain/messages/event/read-events.ts';
import { type GraphqlContext, scopeOf } from '../context.ts';
import type { EventFeed } from './event-feed.ts';
import { openStream } from './open-stream.ts';

/**
 * Endless stream of the events after a position, for one subscriber: each event once and in order.
 * It reads at the subscriber's speed and keeps at most one page.
 *
 * - Events that the feed keeps come from memory, so that a thousand subscribers need only one
 *   query.
 * - Older events are read in pages until the subscriber has caught up with the feed.
 * - At the end of the stream it waits for the feed.
 */
export class EventStream implements AsyncIterableIterator<StreamedEvent> {
  readonly #feed: EventFeed;
  readonly #isWanted: (event: StreamedEvent) => boolean;
  readonly #leave: () => void;
  #position: bigint;
  #page: StreamedEvent[] = [];
  #end: { error?: Error } | undefined;
  #wake: (() => void) | undefined;

  constructor(
    context: GraphqlContext,
    { after, last }: EventPosition,
    isWanted: (event: StreamedEvent) => boolean = () => true,
  ) {
    this.#position = after;
    this.#isWanted = isWanted;
    const close = openStream(context, (error) => this.#finish({ error }));
    this.#feed = context.eventFeeds.follow(scopeOf(context), last);
    this.#leave = () => {
      close();
      context.eventFeeds.leave(this.#feed);
    };
  }

  async next(): Promise<IteratorResult<StreamedEvent>> {
    while (!this.#end) {
      const event = this.#page.shift() ?? this.#feed.following(this.#position);
      if (event) {
        this.#position = event.position;
        if (this.#isWanted(event)) return { value: event, done: false };
      } else if (this.#feed.head > this.#position) {
        await this.#readPage();
      } else {
        await this.#waitForEvents();
      }
    }
    const { error } = this.#end;
    this.#end = {};
    if (error) throw error;
    return { value: undefined, done: true };
  }

  async return(): Promise<IteratorResult<StreamedEvent>> {
    this.#finish({});
    return { value: undefined, done: true };
  }

  async throw(error: unknown): Promise<IteratorResult<StreamedEvent>> {
    this.#finish({});
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #readPage(): Promise<void> {
    const { head } = this.#feed;
    const page = await this.#feed.page(this.#position).catch((error: Error) => {
      this.#finish({ error });
      return [];
    });
    if (this.#end) return;
    // Copied, because subscribers share the page.
    this.#page = [...page];
    if (page.length === 0) this.#position = head;
  }

  #waitForEvents(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.#feed.wait(resolve);
    });
  }

  #finish(end: { error?: Error }): void {
    if (this.#end) return;
    this.#end = end;
    this.#page = [];
    if (this.#wake) this.#feed.cancelWait(this.#wake);
    this.#wake?.();
    this.#leave();
  }
}
