import { setTimeout as pause } from 'node:timers/promises';
import { EVENTS } from './documents.ts';
import { DuesError, toDuesError } from './dues-error.ts';
import type { EventData, EventType } from './generated/webhook-events.ts';
import { openStream } from './open-stream.ts';

/** An event, with the fields of a webhook and its position in the stream. */
export type LiveEvent = {
  [T in EventType]: {
    /** Store it when the event is processed: `after` continues the stream with the next event. */
    readonly cursor: string;
    /** A UUID, the same as in the webhook. */
    readonly id: string;
    readonly type: T;
    /**
     * Consecutive number per subscription, to order the events with one `subscriptionId` and one
     * `startedAt`; null for an event without a subscription.
     */
    readonly sequence: number | null;
    /** ISO 8601 in UTC. */
    readonly createdAt: string;
    readonly data: EventData[T];
  };
}[EventType];

export interface LiveEventsOptions {
  /** Cursor of the last processed event; without it the stream begins with the next event. */
  readonly after?: string;
  /** Only events of these types. */
  readonly types?: readonly EventType[];
  /** Ends the stream and the loop over it, without an error. */
  readonly signal?: AbortSignal;
  /** Called with the reason when the connection breaks, before it is reopened. */
  readonly onInterruption?: (error: DuesError) => void;
  /** Called each time the connection is established. */
  readonly onConnection?: () => void;
}

interface Server {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Reads the cursor of the last event so far. */
  readonly readCursor: (signal?: AbortSignal) => Promise<string>;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

/**
 * Yields one stream of events over any number of connections.
 *
 * 1. Without a cursor, the current one is requested first, so that no event between two attempts to
 *    connect is missed.
 * 2. Each connection begins after the last event that was yielded.
 * 3. A temporary error is retried: at once after an event, then after doubling pauses with jitter,
 *    or after the time that the server requests. Other errors, such as a wrong key, are thrown.
 */
export async function* liveEvents(
  { endpoint, headers, readCursor }: Server,
  { after, types, signal, onInterruption, onConnection }: LiveEventsOptions,
): AsyncGenerator<LiveEvent, void, undefined> {
  let cursor = after;
  let failures = 0;
  while (!signal?.aborted) {
    try {
      cursor ??= await readCursor(signal);
      const variables = { after: cursor, types: types && [...types] };
      const connection = { endpoint, headers, signal, onOpen: onConnection };
      for await (const { events } of openStream(EVENTS, variables, connection)) {
        failures = 0;
        yield events as LiveEvent;
        cursor = events.cursor;
      }
      throw new DuesError('live_interrupted', 'The stream ended.');
    } catch (cause) {
      if (signal?.aborted) return;
      const error = toDuesError(cause);
      if (!error.isTemporary) throw error;
      onInterruption?.(error);
      await pause(pauseMs(failures, error), undefined, { signal }).catch(() => undefined);
      failures++;
    }
  }
}

function pauseMs(failures: number, { retryAfterSeconds }: DuesError): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000;
  if (failures === 0) return 0;
  const max = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
  return max * (0.5 + Math.random() / 2);
}
