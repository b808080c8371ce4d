import type { AccountWrite, Commitment } from '../accounts.ts';
import type { TransactionRecord } from '../ledger.ts';
import type { Network } from '../network.ts';
import type { SlotUpdate } from '../network-events.ts';
import { toJson } from '../rpc/json.ts';
import { AccountTopic } from './account.ts';
import { CommitmentFeed, type CommitmentListener } from './commitment-feed.ts';
import { LogsTopic } from './logs.ts';
import { ProgramTopic } from './program.ts';
import { SignatureTopic } from './signature.ts';
import { rootTopic, slotTopic } from './slot.ts';
import type { Topic, Watch } from './topic.ts';

/** A connection that receives notifications. */
export interface Subscriber {
  send(text: string): void;
  /** Called when the subscription has ended, because there will be no more notifications. */
  ended(subscription: Subscription): void;
}

/**
 * The subscription that equal requests share, with its id and its encoded messages.
 */
export class Subscription implements Watch<unknown> {
  readonly subscribers = new Set<Subscriber>();
  readonly id: number;
  readonly topic: Topic;
  readonly params: unknown;
  /** Equal for equal requests. */
  readonly key: string;

  constructor(id: number, topic: Topic, params: unknown, key: string) {
    this.id = id;
    this.topic = topic;
    this.params = params;
    this.key = key;
  }

  notify(result: unknown): void {
    const params = { result, subscription: this.id };
    const text = toJson({ jsonrpc: '2.0', method: `${this.topic.name}Notification`, params });
    for (const subscriber of this.subscribers) subscriber.send(text);
  }

  end(): void {
    for (const subscriber of this.subscribers) subscriber.ended(this);
  }
}

/**
 * All subscriptions to one network. As on a cluster, two equal requests share one subscription with
 * one id.
 */
export class Subscriptions implements CommitmentListener {
  #network: Network;
  #feed: CommitmentFeed;
  #topics: readonly Topic[];
  #byKey = new Map<string, Subscription>();
  #nextId = 1;

  constructor(network: Network) {
    this.#network = network;
    this.#topics = [
      new AccountTopic(network),
      new ProgramTopic(network),
      new SignatureTopic(network),
      new LogsTopic(),
      slotTopic(network),
      rootTopic(),
    ] as Topic[];
    this.#feed = new CommitmentFeed(network, this);
    network.on('slot', this.#onSlot);
  }

  close(): void {
    this.#feed.close();
    this.#network.off('slot', this.#onSlot);
  }

  get topics(): Iterable<Topic> {
    return this.#topics;
  }

  /** Starts a subscription or joins an equal one; `params` was parsed by the topic. */
  subscribe(topic: Topic, params: unknown, subscriber: Subscriber): Subscription {
    const key = `${topic.name} ${toJson(params)}`;
    const subscription = this.#byKey.get(key) ?? new Subscription(this.#nextId++, topic, params, key);
    this.#byKey.set(key, subscription);
    subscription.subscribers.add(subscriber);
    topic.add(subscription);
    return subscription;
  }

  unsubscribe(subscription: Subscription, subscriber: Subscriber): void {
    subscription.subscribers.delete(subscriber);
    if (subscription.subscribers.size > 0) return;
    this.#byKey.delete(subscription.key);
    subscription.topic.remove(subscription);
  }

  writesReached(commitment: Commitment, slot: number, writes: Iterable<AccountWrite>): void {
    for (const topic of this.#topics) topic.writesReached?.(commitment, slot, writes);
  }

  transactionsReached(commitment: Commitment, slot: number, records: readonly TransactionRecord[]): void {
    for (const topic of this.#topics) topic.transactionsReached?.(commitment, slot, records);
  }

  #onSlot = (update: SlotUpdate): void => {
    for (const topic of this.#topics) topic.slotChanged?.(update);
  };
}
