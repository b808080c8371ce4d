import { EventEmitter } from 'node:events';
import { z } from 'zod';
import { type RedisStore, redisOf } from '../config/redis-config.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../observability/log.ts';
import { Outage } from '../observability/outage.ts';
import { LiveInterruptedError, LiveSubscription } from './live-subscription.ts';
import {
  connectReceiver,
  connectRedis,
  endConnection,
  onBroken,
  prefixOf,
  watchConnection,
} from './redis-connection.ts';

const merchantScope = z.object({ merchantId: z.uuid(), environment: z.enum(['TEST', 'LIVE']) });
const sessionScope = z.object({ sessionId: z.string() });
/** For topics that every process receives in full. */
const everyScope = z.object({});

/**
 * All topics with their scope and payload. Payloads are only ids: subscribers read the rows again.
 */
const topics = {
  'subscription.updated': {
    scope: merchantScope,
    payload: merchantScope.extend({ subscriptionId: z.uuid() }),
  },
  'payment.recorded': {
    scope: merchantScope,
    payload: merchantScope.extend({ paymentId: z.uuid() }),
  },
  'plan.updated': { scope: merchantScope, payload: merchantScope.extend({ planId: z.uuid() }) },
  'checkout-session.updated': { scope: sessionScope, payload: sessionScope },
  'api-key.revoked': { scope: everyScope, payload: z.object({ keyId: z.uuid() }) },
  'member-session.ended': { scope: everyScope, payload: z.object({ sessionId: z.uuid() }) },
  'delivery.updated': {
    scope: merchantScope,
    payload: merchantScope.extend({ endpointId: z.uuid(), deliveryId: z.uuid() }),
  },
  /** A delivery of the event is being resent. */
  'event.resent': {
    scope: merchantScope,
    payload: merchantScope.extend({ eventId: z.uuid() }),
  },
  /** New events were recorded. Subscribers read them from the database. */
  'event.recorded': { scope: merchantScope, payload: merchantScope },
} as const;

export type LiveTopic = keyof typeof topics;
export type LiveScope<T extends LiveTopic> = z.infer<(typeof topics)[T]['scope']>;
export type LivePayload<T extends LiveTopic> = z.infer<(typeof topics)[T]['payload']>;

/** Publishes changes to current subscribers. Messages are not stored for later subscribers. */
export interface Live {
  /** Never rejects: the change is already committed, so the caller must not fail. */
  publish<T extends LiveTopic>(topic: T, payload: LivePayload<T>): Promise<void>;
  /**
   * Messages of a scope from now on (with Redis: from `ready`). Ends with an error if some were
   * missed.
   */
  subscribe<T extends LiveTopic>(topic: T, scope: LiveScope<T>): LiveSubscription<LivePayload<T>>;
  close(): Promise<void>;
}

/** Sends text between processes, or within one. */
interface Wire {
  send(channel: string, message: string): Promise<void>;
  /** Resolves when no later message can be missed. */
  listen(channel: string): Promise<void>;
  unlisten(channel: string): Promise<void>;
  close(): Promise<void>;
}

/** Uses Redis between all processes if it is configured; otherwise works within this process. */
export function createLive(config: Config, log: Logger): Live {
  const listeners = new Map<string, Set<LiveSubscription<unknown>>>();
  const deliver = (channel: string, message: string) => {
    // Within one process every message arrives here, and most have no subscriber.
    const listening = listeners.get(channel);
    if (!listening) return;
    try {
      const payload = topics[topicOf(channel)].payload.parse(JSON.parse(message));
      for (const listener of listening) listener.push(payload);
    } catch (err) {
      // Another release or another application may write to the same Redis.
      log.warn({ err, topic: topicOf(channel) }, 'live update invalid: ignored');
    }
  };
  const interrupt = () => {
    for (const listener of [...listeners.values()].flatMap((each) => [...each])) {
      listener.fail(new LiveInterruptedError());
    }
  };
  const redis = redisOf(config);
  const wire = redis ? redisWire(redis, prefixOf(config), log, deliver, interrupt) : localWire(deliver);
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
  // Parsed by the topic's scope, because a payload has more fields.
  const parts = Object.values(topics[topic].scope.parse(scope));
  return `${PREFIX}${topic}/${parts.join('/')}`;
}

/** The part of a channel that may be logged. The rest may be a checkout session's id, a secret. */
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

function redisWire(
  store: RedisStore,
  prefix: string,
  log: Logger,
  deliver: Deliver,
  interrupt: () => void,
): Wire {
  const sender = connectRedis(store, { maxRetriesPerRequest: 1 });
  const receiver = connectReceiver(store);
  const outage = new Outage(log, 'Redis for live updates');
  watchConnection(receiver, outage);
  // Both connections break together, and the receiver reports it.
  sender.on('error', () => undefined);
  receiver.on('message', (channel, message) => deliver(channel.slice(prefix.length), message));
  // Messages published while the connection was broken are lost: subscribers must read again.
  onBroken(receiver, interrupt);
  return {
    send: async (channel, message) => {
      await sender.publish(prefix + channel, message).catch((error) => {
        if (!outage.isOn) throw error;
      });
    },
    listen: async (channel) => {
      await receiver.subscribe(prefix + channel);
    },
    unlisten: async (channel) => {
      await receiver.unsubscribe(prefix + channel);
    },
    close: async () => {
      await Promise.all([endConnection(sender), endConnection(receiver)]);
    },
  };
}
