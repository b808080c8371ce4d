import { EventEmitter } from 'node:events';
import { z } from 'zod';
import { type RedisStore, redisOf } from '../config/redis-config.ts';
import type { Config } from '../config.ts';
import {
  connectReceiver,
  connectRedis,
  endConnection,
  onBroken,
  prefixOf,
  watchConnection,
} from '../jobs/redis-connection.ts';
import type { Logger } from '../observability/log.ts';
import { Outage } from '../observability/outage.ts';
import { LiveInterruptedError, LiveSubscription } from './live-subscription.ts';

const merchantScope = z.object({ merchantId: z.uuid(), environment: z.enum(['TEST', 'LIVE']) });
const sessionScope = z.object({ sessionId: z.string() });
/** For topics whose messages all subscribers receive. */
const globalScope = z.object({});

/**
 * All topics with their scope and payload. Payloads have only ids: subscribers read the rows again.
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
  'api-key.revoked': { scope: globalScope, payload: z.object({ keyId: z.uuid() }) },
  'member-session.ended': { scope: globalScope, payload: z.object({ sessionId: z.uuid() }) },
  'delivery.updated': {
    scope: merchantScope,
    payload: merchantScope.extend({ endpointId: z.uuid(), deliveryId: z.uuid() }),
  },
  /** A delivery of the event is resent. */
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

/** Publishes changes to current subscribers. Messages are not stored for later ones. */
export interface Live {
  /** Never rejects, because the change is already committed and the caller must not fail. */
  publish<T extends LiveTopic>(topic: T, payload: LivePayload<T>): Promise<void>;
  /**
   * The messages of a scope from now on (with Redis: from `ready`). Ends with an error if messages
   * may have been missed.
   */
  subscribe<T extends LiveTopic>(topic: T, scope: LiveScope<T>): LiveSubscription<LivePayload<T>>;
  close(): Promise<void>;
}

/** Sends text between processes, or within one process. */
interface Connection {
  send(channel: string, message: string): Promise<void>;
  /** Resolves when no later message can be missed. */
  listen(channel: string): Promise<void>;
  unlisten(channel: string): Promise<void>;
  close(): Promise<void>;
}

/** Connects all processes through Redis if it is configured, otherwise only this process. */
export function createLive(config: Config, log: Logger): Live {
  const subscriptions = new Map<string, Set<LiveSubscription<unknown>>>();
  const receive = (channel: string, message: string) => {
    // Without Redis every message arrives here, and most have no subscriber.
    const channelSubscriptions = subscriptions.get(channel);
    if (!channelSubscriptions) return;
    try {
      const payload = topics[topicOf(channel)].payload.parse(JSON.parse(message));
      for (const subscription of channelSubscriptions) subscription.push(payload);
    } catch (err) {
      // Another release or another application may write to the same Redis.
      log.warn({ err, topic: topicOf(channel) }, 'live update invalid: ignored');
    }
  };
  const interrupt = () => {
    for (const subscription of [...subscriptions.values()].flatMap((group) => [...group])) {
      subscription.fail(new LiveInterruptedError());
    }
  };
  const redis = redisOf(config);
  const connection = redis
    ? connectToRedis(redis, prefixOf(config), log, receive, interrupt)
    : createLocalConnection(receive);
  const leave = (channel: string, subscription: LiveSubscription<unknown>) => {
    const channelSubscriptions = subscriptions.get(channel);
    channelSubscriptions?.delete(subscription);
    if (channelSubscriptions?.size !== 0) return;
    subscriptions.delete(channel);
    connection
      .unlisten(channel)
      .catch((err) => log.warn({ err, topic: topicOf(channel) }, 'live channel not unsubscribed'));
  };
  return {
    async publish(topic, payload) {
      const channel = channelOf(topic, payload);
      try {
        await connection.send(channel, JSON.stringify(payload));
      } catch (err) {
        log.warn({ err, topic }, 'live update not published');
      }
    },
    subscribe<T extends LiveTopic>(topic: T, scope: LiveScope<T>) {
      const channel = channelOf(topic, scope);
      const subscription: LiveSubscription<LivePayload<T>> = new LiveSubscription(
        () => leave(channel, subscription as LiveSubscription<unknown>),
        () => connection.listen(channel),
      );
      const channelSubscriptions = subscriptions.get(channel) ?? new Set();
      subscriptions.set(channel, channelSubscriptions.add(subscription as LiveSubscription<unknown>));
      return subscription;
    },
    async close() {
      interrupt();
      await connection.close();
    },
  };
}

const PREFIX = 'dues:live:';

function channelOf<T extends LiveTopic>(topic: T, scope: LiveScope<T>): string {
  // Parsing by the scope removes the other fields of a payload.
  const parts = Object.values(topics[topic].scope.parse(scope));
  return `${PREFIX}${topic}/${parts.join('/')}`;
}

/**
 * The topic of a channel, for logs. The scope must not be logged, because the id of a checkout
 * session is secret.
 */
function topicOf(channel: string): LiveTopic {
  return channel.slice(PREFIX.length).split('/', 1)[0] as LiveTopic;
}

type Receive = (channel: string, message: string) => void;

function createLocalConnection(receive: Receive): Connection {
  const emitter = new EventEmitter().on('message', receive);
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

function connectToRedis(
  store: RedisStore,
  prefix: string,
  log: Logger,
  receive: Receive,
  interrupt: () => void,
): Connection {
  const sender = connectRedis(store, { maxRetriesPerRequest: 1 });
  const receiver = connectReceiver(store);
  const outage = new Outage(log, 'Redis for live updates');
  watchConnection(receiver, outage);
  // Both connections break together, and only the receiver reports it.
  sender.on('error', () => undefined);
  receiver.on('message', (channel, message) => receive(channel.slice(prefix.length), message));
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
