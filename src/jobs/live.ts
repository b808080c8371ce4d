import { EventEmitter } from 'node:events';
import { Redis } from 'ioredis';
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import { Outage } from '../outage.ts';
import { LiveInterruptedError, LiveSubscription } from './live-subscription.ts';
import { endConnection, watchConnection } from './redis-connection.ts';

const merchantScope = z.object({ merchantId: z.uuid(), environment: z.enum(['TEST', 'LIVE']) });
const sessionScope = z.object({ sessionId: z.string() });
/** For every process. */
const everyScope = z.object({});

/** Every topic: whom a message is for, and what it carries. Only ids: whoever listens reads the rows again. */
const topics = {
  'subscription.updated': {
    scope: merchantScope,
    payload: merchantScope.extend({ subscriptionId: z.uuid() }),
  },
  'payment.recorded': {
    scope: merchantScope,
    payload: merchantScope.extend({ paymentId: z.uuid() }),
  },
  'checkout-session.updated': { scope: sessionScope, payload: sessionScope },
  'api-key.revoked': { scope: everyScope, payload: z.object({ keyId: z.uuid() }) },
  'member-session.ended': { scope: everyScope, payload: z.object({ sessionId: z.uuid() }) },
  'delivery.updated': {
    scope: merchantScope,
    payload: merchantScope.extend({ endpointId: z.uuid(), deliveryId: z.uuid() }),
  },
  /** Somebody sends it again. */
  'event.resent': {
    scope: merchantScope,
    payload: merchantScope.extend({ eventId: z.uuid() }),
  },
  /** There is more in the stream of events; which, is read from there. */
  'event.recorded': { scope: merchantScope, payload: merchantScope },
} as const;

export type LiveTopic = keyof typeof topics;
export type LiveScope<T extends LiveTopic> = z.infer<(typeof topics)[T]['scope']>;
export type LivePayload<T extends LiveTopic> = z.infer<(typeof topics)[T]['payload']>;

/**
 * Tells whoever is listening right now that something changed. A hint, not a record: nothing is kept for those who are
 * not there.
 */
export interface Live {
  /** Never rejects: what it tells of is in the database already, and failing its author for it would be wrong. */
  publish<T extends LiveTopic>(topic: T, payload: LivePayload<T>): Promise<void>;
  /** Messages of that scope from now on (from `ready` on, with Redis). Ends with an error where some were missed. */
  subscribe<T extends LiveTopic>(topic: T, scope: LiveScope<T>): LiveSubscription<LivePayload<T>>;
  close(): Promise<void>;
}

/** Moves text between processes, or within one. */
interface Wire {
  send(channel: string, message: string): Promise<void>;
  /** Resolves once nothing that is sent from then on is missed. */
  listen(channel: string): Promise<void>;
  unlisten(channel: string): Promise<void>;
  close(): Promise<void>;
}

/** Through Redis where it is configured, so that any process reaches any other; else within this one. */
export function createLive(config: Config, log: Logger): Live {
  const listeners = new Map<string, Set<LiveSubscription<unknown>>>();
  const deliver = (channel: string, message: string) => {
    // Within one process all comes here, and to most of it nobody listens.
    const listening = listeners.get(channel);
    if (!listening) return;
    try {
      const payload = topics[topicOf(channel)].payload.parse(JSON.parse(message));
      for (const listener of listening) listener.push(payload);
    } catch (err) {
      // Another release of ours, or a stranger, writes to the same Redis: no reason to fall over.
      log.warn({ err, topic: topicOf(channel) }, 'live update not understood');
    }
  };
  const interrupt = () => {
    for (const listener of [...listeners.values()].flatMap((each) => [...each])) {
      listener.fail(new LiveInterruptedError());
    }
  };
  const wire = config.redisUrl ? redisWire(config.redisUrl, log, deliver, interrupt) : localWire(deliver);
  const leave = (channel: string, subscription: LiveSubscription<unknown>) => {
    const others = listeners.get(channel);
    others?.delete(subscription);
    if (others?.size !== 0) return;
    listeners.delete(channel);
    wire
      .unlisten(channel)
      .catch((err) => log.warn({ err, topic: topicOf(channel) }, 'live channel not left'));
  };
  return {
    async publish(topic, payload) {
      const channel = channelOf(topic, payload);
      try {
        await wire.send(channel, JSON.stringify(payload));
      } catch (err) {
        log.warn({ err, topic }, 'live update not published');
      }
    },
    subscribe<T extends LiveTopic>(topic: T, scope: LiveScope<T>) {
      const channel = channelOf(topic, scope);
      const subscription: LiveSubscription<LivePayload<T>> = new LiveSubscription(
        () => leave(channel, subscription as LiveSubscription<unknown>),
        () => wire.listen(channel),
      );
      const others = listeners.get(channel) ?? new Set();
      listeners.set(channel, others.add(subscription as LiveSubscription<unknown>));
      return subscription;
    },
    async close() {
      interrupt();
      await wire.close();
    },
  };
}

const PREFIX = 'dues:live:';

function channelOf<T extends LiveTopic>(topic: T, scope: LiveScope<T>): string {
  // Read as the topic's scope, for a payload has more to it.
  const parts = Object.values(topics[topic].scope.parse(scope));
  return `${PREFIX}${topic}/${parts.join('/')}`;
}

/** All of a channel that may be logged: the rest can be the id of a checkout session, which is a secret. */
function topicOf(channel: string): LiveTopic {
  return channel.slice(PREFIX.length).split('/', 1)[0] as LiveTopic;
}

type Deliver = (channel: string, message: string) => void;

function localWire(deliver: Deliver): Wire {
  const emitter = new EventEmitter().on('message', deliver);
  return {
    send: async (channel, message) => {
      emitter.emit('message', channel, message);
    },
    listen: async () => undefined,
    unlisten: async () => undefined,
    close: async () => {
      emitter.removeAllListeners();
    },
  };
}

function redisWire(redisUrl: string, log: Logger, deliver: Deliver, interrupt: () => void): Wire {
  const sender = new Redis(redisUrl, { maxRetriesPerRequest: 1 });
  const receiver = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const outage = new Outage(log, 'Redis for live updates');
  watchConnection(receiver, outage);
  // Both come and go together: the receiver tells of it.
  sender.on('error', () => undefined);
  receiver.on('message', deliver);
  // What was published while we were away is gone, and only the listener can know what to read again.
  receiver.on('close', interrupt);
  return {
    send: async (channel, message) => {
      await sender.publish(channel, message).catch((error) => {
        if (!outage.isOn) throw error;
      });
    },
    listen: async (channel) => {
      await receiver.subscribe(channel);
    },
    unlisten: async (channel) => {
      await receiver.unsubscribe(channel);
    },
    close: async () => {
      await Promise.all([endConnection(sender), endConnection(receiver)]);
    },
  };
}
