import type { StreamedEvent, StreamPlace } from '../../domain/event/read-events.ts';
import type { EventType } from '../../domain/event/types.ts';
import { type GraphqlContext, scopeOf } from '../context.ts';
import type { EventFeed } from './event-feed.ts';
import { openStream } from './open-stream.ts';

/**
 * The events that follow a position, for one listener: each once, in order, without an end. It reads only as fast as it
 * is read, and keeps no more than a page.
 *
 * - What the feed has kept is taken from there, so that a thousand listeners cost one query.
 * - What is older is read in pages, until the feed has been caught up with.
 * - Where nothing follows, the feed says when to look again.
 */
export class EventStream implements AsyncIterableIterator<StreamedEvent> {
  readonly #feed: EventFeed;
  readonly #types: ReadonlySet<string> | undefined;
  readonly #leave: () => void;
  #position: bigint;
  #page: StreamedEvent[] = [];
  #end: { error?: Error } | undefined;
  #wake: (() => void) | undefined;

  constructor(
    context: GraphqlContext,
    { after, last }: StreamPlace,
    types: readonly EventType[] | undefined,
  ) {
    this.#position = after;
    this.#types = types && new Set(types);
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
        if (!this.#types || this.#types.has(event.type)) return { value: event, done: false };
      } else if (this.#feed.head > this.#position) {
        await this.#readPage();
      } else {
        await this.#news();
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
    // Copied, because it is shared.
    this.#page = [...page];
    if (page.length === 0) this.#position = head;
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.#feed.wait(resolve);
    });
  }

  #finish(end: { error?: Error }): void {
    if (this.#end) return;
    this.#end = end;
    this.#page = [];
    if (this.#wake) this.#feed.ceaseToWait(this.#wake);
    this.#wake?.();
    this.#leave();
  }
}
