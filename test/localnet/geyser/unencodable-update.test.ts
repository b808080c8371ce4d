import type { Address } from '@solana/kit';
import { txErrDecode } from '@triton-one/yellowstone-grpc';
import { expect, test, vi } from 'vitest';
import { startGeyser, subscribe } from './client.ts';
import { accountOf, newAddress, newWallet, pay } from './transactions.ts';

const TICKS_TO_FINALITY = 33;

test('an update that cannot be encoded ends only the streams that request it', async () => {
  const { network, url } = await startGeyser();
  const requesting = await Promise.all(
    [0, 1, 2].map((commitment) => subscribe(url, { accounts: { a: {} }, commitment })),
  );
  const healthy = await subscribe(url, { slots: { s: { filterByCommitment: true } } });
  const log = vi.spyOn(console, 'error').mockReturnValue();

  const account = accountOf({ owner: 'no address' as Address });
  network.emit('account', {
    address: await newAddress(),
    slot: network.slot('processed'),
    writeVersion: 1,
    account,
    signature: null,
  });
  for (let slot = 0; slot < TICKS_TO_FINALITY; slot += 1) network.tick();

  for (const stream of requesting) expect(await stream.ended()).toContain('internal error');
  expect(log).toHaveBeenCalledTimes(requesting.length);
  log.mockRestore();
  expect(await healthy.settled()).toHaveLength(TICKS_TO_FINALITY);

  const fromStart = await subscribe(url, {
    transactions: { t: {} },
    fromSlot: String(network.slot('finalized')),
  });
  await pay(network, await newWallet(network), await newAddress());
  expect(await fromStart.settled()).toHaveLength(1);
});

test('an error that no cluster has is sent as a generic error', async () => {
  const { network, url } = await startGeyser();
  const stream = await subscribe(url, { transactions: { t: { failed: true } } });
  const payer = await newWallet(network);
  const signature = await pay(network, payer, await newAddress());
  const record = network.ledger.transaction(signature);
  if (!record) throw new Error('the transaction has not landed');
  network.emit('transaction', { ...record, err: 'Unknown(77)' });
  const [update] = await stream.settled();
  const err = update?.transaction?.transaction?.meta?.err?.err ?? new Uint8Array();
  expect(txErrDecode.decode(err)).toEqual({ InstructionError: [0, 'GenericError'] });
});
