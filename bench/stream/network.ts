// The network for `main.ts`, in a separate process. It writes the accounts of subscriptions as
// pulls do, in one burst per slot.
import { setTimeout as wait } from 'node:timers/promises';
import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { SUBSCRIPTIONS_PROGRAM, USDC_MINT } from '../../localnet/genesis.ts';
import { startLocalnet } from '../../localnet/localnet.ts';
import { COLLECTOR } from '../../tools/world/network.ts';
import {
  createAddress,
  encodeAuthority,
  encodePlan,
  encodeSubscription,
} from '../../tools/world/seed-subscriptions.ts';
import { ownProcessorTime } from '../lib/own-processor-time.ts';
import { EXPIRES_AT, PULLED_AT } from './subscription-bytes.ts';

/** The length of a slot that Mainnet will have, where a slot takes 400 ms now. */
const SLOT_MS = 250;
/** Fewer slots than the stream replays: a backfill would miss writes without a transaction. */
const BACKLOG_BURSTS = 25;
const LAMPORTS = 2_000_000n;

export interface SeededSubscription {
  readonly address: Address;
  readonly wallet: Address;
  readonly authority: Address;
}

/**
 * `seed`: creates that many subscriptions to the plan. `updates`: writes that many updates,
 * `perSecond` or all at once; `cancelling` cancels and resumes subscriptions. `latest`: returns the
 * times of the last writes of the named accounts. `processorTime`: returns that of this process.
 */
export type NetworkRequest =
  | { readonly seed: number; readonly plan: Address; readonly amount: bigint; readonly startedAt: bigint }
  | { readonly updates: number; readonly perSecond?: number; readonly cancelling?: boolean }
  | { readonly latest: readonly Address[] }
  | { readonly processorTime: true };

if (process.send) {
  const { network, rpcUrl, geyserUrl, close } = await startLocalnet({ slotMs: 0 });
  const subscriptions: SeededSubscription[] = [];
  let terms = { plan: createAddress(), amount: 0n, startedAt: 0n };
  let next = 0;
  const encoded = new Map<Address, Uint8Array<ArrayBuffer>>();
  /** The wall-clock time of each account's last write, and whether it is cancelled. */
  const written = new Map<Address, { at: number; expiresAt: bigint }>();

  const write = (address: Address, data: ReadonlyUint8Array) =>
    network.setAccount(address, {
      lamports: LAMPORTS,
      owner: SUBSCRIPTIONS_PROGRAM,
      data: new Uint8Array(data),
      executable: false,
    });

  const onChain = () => ({ amount: terms.amount, periodHours: 1n, createdAt: terms.startedAt });

  const encode = ({ wallet }: SeededSubscription) =>
    encodeSubscription({
      wallet,
      plan: terms.plan,
      terms: onChain(),
      startedAt: Number(terms.startedAt),
      bump: 255,
    });

  /** Accounts are kept encoded: encoding them again would take longer than the measured work. */
  const writeSubscription = (subscription: SeededSubscription, pulled: bigint, expiresAt: bigint) => {
    const data = encoded.get(subscription.address) ?? new Uint8Array(encode(subscription));
    encoded.set(subscription.address, data);
    const view = new DataView(data.buffer);
    view.setBigUint64(PULLED_AT, pulled, true);
    view.setBigInt64(EXPIRES_AT, expiresAt, true);
    write(subscription.address, data);
  };

  const seed = (count: number): SeededSubscription[] => {
    const plan = { owner: createAddress(), puller: COLLECTOR, bump: 255, mint: USDC_MINT, terms: onChain() };
    write(terms.plan, encodePlan(plan));
    for (let index = 0; index < count; index++) {
      const [address, wallet, authority] = [createAddress(), createAddress(), createAddress()];
      const subscription = { address, wallet, authority };
      subscriptions.push(subscription);
      writeSubscription(subscription, 0n, 0n);
      write(authority, encodeAuthority({ wallet, mint: USDC_MINT, bump: 255 }));
    }
    confirmWrites();
    return subscriptions;
  };

  /** Ends the slot and the next one, which confirms it. */
  const confirmWrites = () => {
    network.tick();
    network.tick();
  };

  /**
   * Writes updates in one slot. The pulled amount is the time of the write in milliseconds, so that
   * a row shows its age.
   */
  const writeBurst = (count: number, cancelling: boolean): void => {
    const at = Date.now();
    for (let index = 0; index < count; index++) {
      const subscription = subscriptions[next++ % subscriptions.length];
      if (!subscription) throw new Error('Nothing is seeded');
      const before = written.get(subscription.address)?.expiresAt ?? 0n;
      const expiresAt = cancelling && before === 0n ? terms.startedAt + 3_600n : 0n;
      written.set(subscription.address, { at, expiresAt });
      writeSubscription(subscription, BigInt(at), expiresAt);
    }
    confirmWrites();
  };

  const writeUpdates = async (
    count: number,
    perSecond: number | undefined,
    cancelling: boolean,
  ): Promise<void> => {
    const size = perSecond ? Math.ceil((perSecond * SLOT_MS) / 1_000) : Math.ceil(count / BACKLOG_BURSTS);
    const since = performance.now();
    for (let done = 0, bursts = 1; done < count; done += size, bursts++) {
      writeBurst(Math.min(size, count - done), cancelling);
      if (perSecond) await wait(Math.max(0, bursts * SLOT_MS - (performance.now() - since)));
      else await new Promise(setImmediate);
    }
  };

  process.on('message', async (request: NetworkRequest) => {
    if ('seed' in request) {
      terms = request;
      process.send?.(seed(request.seed));
    } else if ('updates' in request) {
      await writeUpdates(request.updates, request.perSecond, request.cancelling ?? false);
      process.send?.({});
    } else if ('processorTime' in request) process.send?.(ownProcessorTime());
    else process.send?.(request.latest.map((address) => written.get(address)?.at ?? 0));
  });
  // A cluster also creates empty blocks.
  const blocks = setInterval(() => network.tick(), SLOT_MS);
  process.on('disconnect', () => {
    clearInterval(blocks);
    void close();
  });
  process.send({ rpcUrl, geyserUrl });
}
