import { v7 as uuidv7 } from 'uuid';
import { insertRows } from '../../../db/bulk.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { sequenceFloor } from '../../../db/timeline.ts';
import { type Environment, type Event, Prisma, type Subscription } from '../../../generated/prisma/client.ts';
import { currentTraceparent, type Traceparent } from '../../../observability/tracing/trace.ts';
import { startTimeOf } from './start-time-of.ts';
import type { EventData, EventType } from './types.ts';

export interface RecordEventInput<T extends EventType> {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly type: T;
  /** Our id of the event's subscription. */
  readonly subscriptionId?: string;
  /** The derived id of a fact from the chain; default a new one. */
  readonly id?: string | undefined;
  /** Without `startedAt`, which is read from the subscription. */
  readonly data: EventData[T];
  readonly at: Date;
}

/**
 * Records an event in the transaction of its cause. It takes the subscription's next sequence
 * number and locks its row, so that the events of one subscription become visible in sequence
 * order.
 */
export async function recordEvent<T extends EventType>(
  tx: DbTransaction,
  { id, merchantId, environment, type, subscriptionId, data, at }: RecordEventInput<T>,
): Promise<Event> {
  const next = subscriptionId === undefined ? undefined : await nextSequence(tx, subscriptionId);
  return tx.event.create({
    data: {
      ...(id !== undefined && { id }),
      merchantId,
      environment,
      type,
      subscriptionId,
      sequence: next?.lastSequence,
      data: { ...data, ...(next && startTimeOf(next)) } as unknown as Prisma.InputJsonObject,
      createdAt: at,
      traceparent: currentTraceparent(),
    },
  });
}

/**
 * An event of a subscription whose row the caller has locked, and whose `lastSequence` the caller
 * updates; or an event of no subscription.
 */
export interface RecordedEvent {
  /** The derived id of a fact from the chain; default a new one. */
  readonly id?: string | undefined;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly subscriptionId: string | null;
  readonly sequence: number | null;
  readonly type: EventType;
  readonly data: EventData[EventType];
  readonly at: Date;
  /** The trace of its cause; default the current trace. */
  readonly traceparent?: Traceparent;
}

const COLUMNS = [
  ...(['id', 'merchantId', 'environment', 'type', 'subscriptionId', 'sequence'] as const),
  ...(['data', 'createdAt', 'traceparent'] as const),
] as const;

/** Records many events, with sequence numbers counted under the locks. */
export async function recordEvents(tx: DbTransaction, events: readonly RecordedEvent[]): Promise<void> {
  if (events.length === 0) return;
  const traceparent = currentTraceparent();
  const rows = events.map((event) => ({
    ...event,
    id: event.id ?? uuidv7(),
    createdAt: event.at,
    traceparent: event.traceparent ?? traceparent ?? null,
  }));
  await insertRows(tx, 'Event', COLUMNS, rows);
}

async function nextSequence(
  tx: DbTransaction,
  subscriptionId: string,
): Promise<Pick<Subscription, 'lastSequence' | 'chainCreatedAt'>> {
  const [next] = await tx.$queryRaw<Pick<Subscription, 'lastSequence' | 'chainCreatedAt'>[]>`
    UPDATE "Subscription" s SET "lastSequence" = greatest("lastSequence", ${sequenceFloor(Prisma.sql`s."environment"`)}) + 1
    WHERE "id" = ${subscriptionId}::uuid RETURNING "lastSequence", "chainCreatedAt"`;
  if (!next) throw new Error(`no subscription ${subscriptionId} for an event`);
  return next;
}
