import { setTimeout as pause } from 'node:timers/promises';
import { EVENTS } from './documents.ts';
import { DuesError, toDuesError } from './dues-error.ts';
import type { EventData, EventType } from './generated/webhook-events.ts';
import { openStream } from './open-stream.ts';

/** A fact that happened, as a webhook tells it, and its place among all. */
export type LiveEvent = {
  [T in EventType]: {
    /** Keep it once the event is dealt with: given as `after`, the stream goes on with what follows. */
    readonly cursor: string;
    /** A UUID, the same as in the webhook. */
    readonly id: string;
    readonly type: T;
    /** +1 per subscription; null for an event about none. */
    readonly sequence: number | null;
    /** ISO 8601 in UTC. */
    readonly createdAt: string;
    readonly data: EventData[T];
  };
}[EventType];

export interface LiveEventsOptions {
  /** The cursor of the last event that was dealt with; without one the stream begins now. */
  readonly after?: string;
  /** Only events of these types. */
  readonly types?: readonly EventType[];
  /** Ends the stream: the loop over it is left, without an error. */
  readonly signal?: AbortSignal;
  /** Told of what made the connection break, before it is opened again. */
  readonly onInterruption?: (error: DuesError) => void;
  /** Told each time that the connection is there: the first time, and after every interruption. */
  readonly onConnection?: () => void;
}

interface Server {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The cursor of where the stream ends now. */
  readonly here: (signal?: AbortSignal) => Promise<string>;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * One stream out of as many connections as it takes.
 *
 * 1. Without a cursor, the one of now is asked for: what happens between two tries to connect is not missed either.
 * 2. Each connection begins after the last event that was given out.
 * 3. What may go well later is tried again: at once after something came, then after pauses that double, with chance in
 *    them, or as long as the server asks for. Anything else, a wrong key for one, is thrown.
 */
export async function* liveEvents(
  { endpoint, headers, here }: Server,
  { after, types, signal, onInterruption, onConnection }: LiveEventsOptions,
): AsyncGenerator<LiveEvent, void, undefined> {
  let cursor = after;
  let failures = 0;
  while (!signal?.aborted) {
    try {
      cursor ??= await here(signal);
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
  const most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
  return most * (0.5 + Math.random() / 2);
}
