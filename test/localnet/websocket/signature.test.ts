import { describe, expect, it } from 'vitest';
import { parseTransaction } from '../../../localnet/transaction.ts';
import { signedTransfer } from '../../../tools/world/wallet.ts';
import { ONE_SOL } from '../rpc/world.ts';
import { COMMITMENTS, startWorld } from './world.ts';

const UNKNOWN_SUBSCRIPTION = { code: -32602, message: 'Invalid subscription id.' };

describe('signatureSubscribe', () => {
  it.each(COMMITMENTS)('notifies once that a transaction is %s, and ends', async (commitment) => {
    const { network, connect, signTransfer, reach } = await startWorld();
    const client = await connect();
    const transaction = await signTransfer();
    const [signature] = transaction.signatures;
    const id = await client.subscribe('signatureSubscribe', signature, { commitment });
    const slot = network.slot('processed');
    network.submit(transaction);
    for (const earlier of COMMITMENTS.slice(0, COMMITMENTS.indexOf(commitment))) {
      reach(earlier);
      await client.untilCaughtUp();
      expect(client.notifications).toEqual([]);
    }
    reach(commitment);
    reach('finalized');
    await client.untilCaughtUp();
    expect(client.notifications).toEqual([
      {
        jsonrpc: '2.0',
        method: 'signatureNotification',
        params: { result: { context: { slot }, value: { err: null } }, subscription: id },
      },
    ]);
    expect((await client.call('signatureUnsubscribe', [id])).error).toEqual(UNKNOWN_SUBSCRIPTION);
  });

  it.each(COMMITMENTS)(
    'notifies right after its answer if the transaction is already %s',
    async (commitment) => {
      const { network, connect, transfer, reach } = await startWorld();
      const client = await connect();
      const signature = await transfer();
      reach(commitment);
      const slot = network.slot(commitment);
      const id = await client.subscribe('signatureSubscribe', signature, { commitment });
      const [answer, notification] = await client.received(2);
      expect(answer).toEqual({ jsonrpc: '2.0', result: id, id: 1 });
      expect(notification).toEqual({
        jsonrpc: '2.0',
        method: 'signatureNotification',
        params: { result: { context: { slot }, value: { err: null } }, subscription: id },
      });
      expect((await client.call('signatureUnsubscribe', [id])).error).toEqual(UNKNOWN_SUBSCRIPTION);
    },
  );

  it('notifies a client that subscribes between two commitments of the later one', async () => {
    const { network, connect, transfer, reach } = await startWorld({ maxTransactions: 1 });
    const client = await connect();
    const signature = await transfer();
    reach('confirmed');
    await client.subscribe('signatureSubscribe', signature);
    await transfer(2n);
    await transfer(3n);
    reach('confirmed');
    expect(network.ledger.transaction(signature)).toBeUndefined();
    reach('finalized');
    await client.untilCaughtUp();
    expect(client.notifications).toMatchObject([{ params: { result: { value: { err: null } } } }]);
  });

  it('sends the error of a transaction that landed and failed', async () => {
    const { network, payer, receiver, connect } = await startWorld();
    const client = await connect();
    const wire = await signedTransfer(network, payer, receiver, 1_000n * ONE_SOL);
    const transaction = parseTransaction(wire);
    await client.subscribe('signatureSubscribe', transaction.signatures[0], { commitment: 'processed' });
    network.submit(transaction);
    await client.untilCaughtUp();
    const err = { InstructionError: [0, { Custom: 1 }] };
    expect(client.notifications).toMatchObject([{ params: { result: { value: { err } } } }]);
  });

  it.each(COMMITMENTS)('notifies of the receipt first on request, at %s', async (commitment) => {
    const { network, connect, signTransfer, reach } = await startWorld();
    const client = await connect();
    const transaction = await signTransfer();
    const id = await client.subscribe('signatureSubscribe', transaction.signatures[0], {
      commitment,
      enableReceivedNotification: true,
    });
    const slot = network.slot('processed');
    network.submit(transaction);
    reach(commitment);
    await client.untilCaughtUp();
    expect(client.notificationsOf(id)).toEqual([
      { context: { slot }, value: 'receivedSignature' },
      { context: { slot }, value: { err: null } },
    ]);
  });

  it('notifies every subscriber on its own connection', async () => {
    const { network, connect, signTransfer } = await startWorld({ slotMs: 0 });
    const clients = await Promise.all([connect(), connect(), connect()]);
    const transaction = await signTransfer();
    for (const client of clients) {
      await client.subscribe('signatureSubscribe', transaction.signatures[0], { commitment: 'confirmed' });
    }
    network.submit(transaction);
    for (const client of clients) {
      await client.untilCaughtUp();
      expect(client.notifications).toHaveLength(1);
    }
  });

  it('ends with signatureUnsubscribe', async () => {
    const { network, connect, signTransfer } = await startWorld();
    const client = await connect();
    const transaction = await signTransfer();
    const id = await client.subscribe('signatureSubscribe', transaction.signatures[0], {
      commitment: 'processed',
    });
    expect(await client.call('signatureUnsubscribe', [id])).toMatchObject({ result: true });
    network.submit(transaction);
    await client.untilCaughtUp();
    expect(client.notifications).toEqual([]);
  });
});
