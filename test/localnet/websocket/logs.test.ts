import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../../../localnet/accounts.ts';
import { newAddress, ONE_SOL } from '../rpc/world.ts';
import { COMMITMENTS, startWorld } from './world.ts';

const TRANSFER_LOGS = [`Program ${SYSTEM_PROGRAM} invoke [1]`, `Program ${SYSTEM_PROGRAM} success`];

describe('logsSubscribe', () => {
  it.each(COMMITMENTS)('notifies of every transaction when it is %s, in order', async (commitment) => {
    const { network, connect, transfer, reach } = await startWorld();
    const client = await connect();
    const id = await client.subscribe('logsSubscribe', 'all', { commitment });
    const slot = network.slot('processed');
    const signatures = [await transfer(1n * ONE_SOL), await transfer(2n * ONE_SOL)];
    if (commitment !== 'processed') {
      await client.untilCaughtUp();
      expect(client.notifications).toEqual([]);
    }
    reach(commitment);
    await client.untilCaughtUp();
    expect(client.notifications).toEqual(
      signatures.map((signature) => ({
        jsonrpc: '2.0',
        method: 'logsNotification',
        params: {
          result: { context: { slot }, value: { signature, err: null, logs: TRANSFER_LOGS } },
          subscription: id,
        },
      })),
    );
  });

  it('notifies of failed transactions with their error', async () => {
    const { connect, transfer } = await startWorld();
    const client = await connect();
    const id = await client.subscribe('logsSubscribe', 'allWithVotes', { commitment: 'processed' });
    const signature = await transfer(1_000n * ONE_SOL);
    await client.untilCaughtUp();
    expect(client.notificationsOf(id)).toMatchObject([
      { value: { signature, err: { InstructionError: [0, { Custom: 1 }] } } },
    ]);
  });

  it.each(COMMITMENTS)('notifies of transactions that mention an address, at %s', async (commitment) => {
    const { receiver, connect, transfer, reach } = await startWorld();
    const client = await connect();
    const subscribe = (address: string) =>
      client.subscribe('logsSubscribe', { mentions: [address] }, { commitment });
    const [ofReceiver, ofProgram, ofStranger] = [
      await subscribe(receiver),
      await subscribe(SYSTEM_PROGRAM),
      await subscribe(await newAddress()),
    ];
    const signature = await transfer();
    reach(commitment);
    await client.untilCaughtUp();
    expect(client.notificationsOf(ofReceiver)).toMatchObject([{ value: { signature } }]);
    expect(client.notificationsOf(ofProgram)).toMatchObject([{ value: { signature } }]);
    expect(client.notificationsOf(ofStranger)).toEqual([]);
  });

  it('ends with logsUnsubscribe', async () => {
    const { connect, transfer } = await startWorld();
    const client = await connect();
    const id = await client.subscribe('logsSubscribe', 'all', { commitment: 'processed' });
    expect(await client.call('logsUnsubscribe', [id])).toMatchObject({ result: true });
    await transfer();
    await client.untilCaughtUp();
    expect(client.notifications).toEqual([]);
  });
});
