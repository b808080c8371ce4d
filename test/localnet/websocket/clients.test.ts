import { createSolanaRpcSubscriptions, type Signature } from '@solana/kit';
import {
  type AccountChangeCallback,
  type LogsCallback,
  type ProgramAccountChangeCallback,
  PublicKey,
  type RootChangeCallback,
  type SignatureResultCallback,
  type SlotChangeCallback,
} from '@solana/web3.js';
import { describe, expect, it, vi } from 'vitest';
import { writeAccount } from '../../../tools/world/wallet.ts';
import { SOON } from '../../support/soon.ts';
import { newAddress, ONE_SOL } from '../rpc/world.ts';
import { web3Connection } from './web3-connection.ts';
import { COMMITMENTS, startWorld, type World } from './world.ts';

/** Subscribes, runs `cause` and returns the next notification. */
async function nextNotification<T>(
  pending: { subscribe(options: { abortSignal: AbortSignal }): Promise<AsyncIterable<T>> },
  cause: () => unknown,
): Promise<T> {
  const abort = new AbortController();
  try {
    const notifications = await pending.subscribe({ abortSignal: abort.signal });
    await cause();
    for await (const notification of notifications) return notification;
    throw new Error('the subscription ended without a notification');
  } finally {
    abort.abort();
  }
}

describe('@solana/kit', () => {
  const kitFor = ({ url }: World) => createSolanaRpcSubscriptions(url);

  it.each(COMMITMENTS)('is notified of accounts at %s', async (commitment) => {
    const world = await startWorld();
    const pending = kitFor(world).accountNotifications(world.receiver, { commitment, encoding: 'base64' });
    const { value } = await nextNotification(pending, async () => {
      await world.transfer(5n * ONE_SOL);
      world.reach(commitment);
    });
    expect(value).toMatchObject({ lamports: 5n * ONE_SOL, data: ['', 'base64'] });
  });

  it.each(COMMITMENTS)("is notified of a program's accounts at %s", async (commitment) => {
    const world = await startWorld();
    const [program, address] = [await newAddress(), await newAddress()];
    const filters = [{ dataSize: 2n }];
    const pending = kitFor(world).programNotifications(program, { commitment, encoding: 'base64', filters });
    const { value } = await nextNotification(pending, () => {
      writeAccount(world.network, address, { owner: program, data: new Uint8Array(1) });
      writeAccount(world.network, address, { owner: program, data: new Uint8Array(2) });
      world.reach(commitment);
    });
    expect(value).toMatchObject({ pubkey: address, account: { data: ['AAA=', 'base64'] } });
  });

  it.each(COMMITMENTS)(
    'is notified of a signature at %s, before and after it has landed',
    async (commitment) => {
      const world = await startWorld();
      const transaction = await world.signTransfer();
      const signature = transaction.signatures[0] as Signature;
      const pending = kitFor(world).signatureNotifications(signature, { commitment });
      const before = await nextNotification(pending, () => {
        world.network.submit(transaction);
        world.reach(commitment);
      });
      const after = await nextNotification(pending, () => undefined);
      expect([before.value, after.value]).toEqual([{ err: null }, { err: null }]);
    },
  );

  it.each(COMMITMENTS)('is notified of logs at %s', async (commitment) => {
    const world = await startWorld();
    const pending = kitFor(world).logsNotifications({ mentions: [world.receiver] }, { commitment });
    let signature = '';
    const { value } = await nextNotification(pending, async () => {
      signature = await world.transfer();
      world.reach(commitment);
    });
    expect(value).toMatchObject({ signature, err: null });
  });

  it('is notified of slots and roots', async () => {
    const world = await startWorld();
    const kit = kitFor(world);
    const { network } = world;
    const slot = BigInt(network.slot('processed'));
    const notification = await nextNotification(kit.slotNotifications(), () => network.tick());
    expect(notification).toMatchObject({ slot: slot + 1n, parent: slot });
    const root = BigInt(network.slot('finalized'));
    expect(await nextNotification(kit.rootNotifications(), () => network.tick())).toBe(root + 1n);
  });
});

describe('@solana/web3.js', () => {
  /**
   * The first notification. The library does not report when it has subscribed, so the cause is
   * repeated until then.
   */
  async function firstNotification<Notification extends unknown[]>(
    listen: (listener: (...notification: Notification) => void) => number,
    cause: () => unknown,
  ): Promise<{ first: Notification; id: number }> {
    const calls: Notification[] = [];
    const id = listen((...call) => calls.push(call));
    const first = await vi.waitFor(async () => {
      await cause();
      const [call] = calls;
      if (!call) throw new Error('no notification yet');
      return call;
    }, SOON);
    return { first, id };
  }

  it.each(COMMITMENTS)('is notified of accounts at %s', async (commitment) => {
    const world = await startWorld();
    const connection = web3Connection(world.url);
    const address = await newAddress();
    const { first, id } = await firstNotification<Parameters<AccountChangeCallback>>(
      (listener) => connection.onAccountChange(new PublicKey(address), listener, { commitment }),
      () => {
        writeAccount(world.network, address, { data: Uint8Array.from([1, 2]) });
        world.reach(commitment);
      },
    );
    expect(first[0]).toMatchObject({ lamports: Number(ONE_SOL), data: Buffer.from([1, 2]) });
    expect(first[1].slot).toBeLessThanOrEqual(world.network.slot(commitment));
    await expect(connection.removeAccountChangeListener(id)).resolves.toBeUndefined();
  });

  it.each(COMMITMENTS)("is notified of a program's accounts at %s", async (commitment) => {
    const world = await startWorld();
    const connection = web3Connection(world.url);
    const [program, address, other] = [await newAddress(), await newAddress(), await newAddress()];
    const { first, id } = await firstNotification<Parameters<ProgramAccountChangeCallback>>(
      (listener) =>
        connection.onProgramAccountChange(new PublicKey(program), listener, {
          commitment,
          filters: [{ dataSize: 2 }],
        }),
      () => {
        writeAccount(world.network, other, { owner: program, data: new Uint8Array(1) });
        writeAccount(world.network, address, { owner: program, data: new Uint8Array(2) });
        world.reach(commitment);
      },
    );
    expect(first[0].accountId.toBase58()).toBe(address);
    expect(first[0].accountInfo.data).toEqual(Buffer.from([0, 0]));
    await expect(connection.removeProgramAccountChangeListener(id)).resolves.toBeUndefined();
  });

  it.each(COMMITMENTS)('is notified of a signature at %s', async (commitment) => {
    const world = await startWorld();
    const connection = web3Connection(world.url);
    const transaction = await world.signTransfer();
    const { first } = await firstNotification<Parameters<SignatureResultCallback>>(
      (listener) => connection.onSignature(transaction.signatures[0] as string, listener, commitment),
      () => {
        world.network.submit(transaction);
        world.reach(commitment);
      },
    );
    expect(first[0]).toEqual({ err: null });
  });

  it.each(COMMITMENTS)('is notified of logs at %s', async (commitment) => {
    const world = await startWorld();
    const connection = web3Connection(world.url);
    const signatures: string[] = [];
    let lamports = 1n;
    const { first, id } = await firstNotification<Parameters<LogsCallback>>(
      (listener) => connection.onLogs(new PublicKey(world.receiver), listener, commitment),
      async () => {
        lamports += ONE_SOL;
        signatures.push(await world.transfer(lamports));
        world.reach(commitment);
      },
    );
    expect(signatures).toContain(first[0].signature);
    expect(first[0].err).toBeNull();
    await expect(connection.removeOnLogsListener(id)).resolves.toBeUndefined();
  });

  it('is notified of slots', async () => {
    const world = await startWorld();
    const connection = web3Connection(world.url);
    const { first, id } = await firstNotification<Parameters<SlotChangeCallback>>(
      (listener) => connection.onSlotChange(listener),
      () => world.network.tick(),
    );
    expect(first[0].parent).toBe(first[0].slot - 1);
    expect(first[0].root).toBeLessThan(first[0].parent);
    await expect(connection.removeSlotChangeListener(id)).resolves.toBeUndefined();
  });

  it('is notified of roots', async () => {
    const world = await startWorld();
    const connection = web3Connection(world.url);
    const { first, id } = await firstNotification<Parameters<RootChangeCallback>>(
      (listener) => connection.onRootChange(listener),
      () => world.network.tick(),
    );
    expect(first[0]).toBeLessThanOrEqual(world.network.slot('finalized'));
    await expect(connection.removeRootChangeListener(id)).resolves.toBeUndefined();
  });
});
