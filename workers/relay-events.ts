import { relayEvents } from '../src/domain/event/relay-events.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

/** `events.relay`: every second, and nudged when an event was recorded. */
export const relayEventsJob: JobHandler<'events.relay'> = (ctx) => relayEvents(ctx);
