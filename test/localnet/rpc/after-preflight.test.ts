import { describe, expect, it } from 'vitest';
import { parseTransaction } from '../../../localnet/transaction.ts';
import { signedTransfer, writeAccount } from '../../../tools/world/wallet.ts';
import { base64, newAddress, ONE_SOL, startWorld, withBadSignature } from './world.ts';

const FEE = 5_000n;
const SLOT_MS = 250;
const INSUFFICIENT = { InstructionError: [0, { Custom: 1 }] };

/** A world whose slots end only by ticks, with a signed transfer of one SOL. */
async function startTransfer() {
  const world = await startWorld({ slotMs: SLOT_MS });
  const { network, payer } = world;
  network.tick();
  const receiver = await newAddress();
  const wire = await signedTransfer(network, payer, receiver, ONE_SOL);
  const lamports = () => network.getAccount(payer.address, 'processed')?.lamports;
  return { ...world, receiver, wire, lamports };
}

describe('a transaction that passed its preflight', () => {
  it('runs on what was written after the state of the preflight', async () => {
    const { network, payer, wire, sendWire, lamports } = await startTransfer();
    writeAccount(network, payer.address, { lamports: ONE_SOL });
    const { result } = await sendWire(wire);
    expect(network.ledger.transaction(result as string)).toMatchObject({
      err: INSUFFICIENT,
      preBalances: [ONE_SOL, 0n, 1n],
      postBalances: [ONE_SOL - FEE, 0n, 1n],
    });
    expect(lamports()).toBe(ONE_SOL - FEE);
  });

  it('runs on what was written while its landing was delayed', async () => {
    const { network, payer, wire, sendWire, lamports } = await startTransfer();
    network.faults.set({ delayLandingSlots: 2 });
    const { result } = await sendWire(wire);
    network.tick();
    writeAccount(network, payer.address, { lamports: ONE_SOL });
    expect(network.ledger.transaction(result as string)).toBeUndefined();
    network.tick();
    expect(network.ledger.transaction(result as string)?.err).toEqual(INSUFFICIENT);
    expect(lamports()).toBe(ONE_SOL - FEE);
  });

  it('runs on the newest state, although its node was behind', async () => {
    const { network, payer, receiver, url, wire, lamports } = await startTransfer();
    for (let slot = 0; slot < 40; slot++) network.tick();
    network.faults.set({ nodes: { b: { lagSlots: 20 } } });
    writeAccount(network, payer.address, { lamports: ONE_SOL });
    network.tick();
    const send = async (node: string) => {
      const params = [base64(wire), { encoding: 'base64', preflightCommitment: 'confirmed' }];
      const response = await fetch(`${url}/${node}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params }),
      });
      return (await response.json()) as { result?: string; error?: { data: { err: unknown } } };
    };
    expect((await send('a')).error?.data.err).toEqual(INSUFFICIENT);
    const { result } = await send('b');
    expect(network.ledger.transaction(result as string)?.err).toEqual(INSUFFICIENT);
    expect([lamports(), network.getAccount(receiver, 'processed')]).toEqual([ONE_SOL - FEE, null]);
  });

  it('never lands if its blockhash expires while its landing is delayed', async () => {
    const { network, wire, sendWire, lamports } = await startTransfer();
    const before = lamports();
    network.faults.set({ delayLandingSlots: 160 });
    const { result } = await sendWire(wire);
    for (let slot = 0; slot < 170; slot++) network.tick();
    expect(network.ledger.transaction(result as string)).toBeUndefined();
    expect(lamports()).toBe(before);
  });

  it('lands once if it is sent again before it has landed', async () => {
    const { network, receiver, wire, sendWire } = await startTransfer();
    network.faults.set({ delayLandingSlots: 2 });
    for (let sent = 0; sent < 3; sent++) await sendWire(wire);
    network.faults.set({ delayLandingSlots: 0 });
    for (let slot = 0; slot < 4; slot++) network.tick();
    expect(network.ledger.transactionCount).toBe(1);
    expect(network.getAccount(receiver, 'processed')?.lamports).toBe(ONE_SOL);
    expect((await sendWire(wire)).error?.data).toMatchObject({ err: 'AlreadyProcessed' });
  });
});

describe('a valid signature', () => {
  it('counts for no other signature of the same message', async () => {
    const { network, receiver, wire, sendWire } = await startTransfer();
    network.faults.set({ dropTransactions: 1 });
    await sendWire(wire);
    const forged = withBadSignature(wire);
    expect((await sendWire(forged)).error?.data).toMatchObject({ err: 'SignatureFailure' });
    await sendWire(forged, { skipPreflight: true });
    expect(network.getAccount(receiver, 'processed')).toBeNull();
    await sendWire(wire);
    expect(network.getAccount(receiver, 'processed')?.lamports).toBe(ONE_SOL);
  });

  it('is verified before landing, if the simulation did not verify it', async () => {
    const { network, receiver, wire } = await startTransfer();
    const forged = parseTransaction(withBadSignature(wire));
    expect(network.simulate(forged, false).err).toBeNull();
    expect(network.simulate(forged, true).err).toBe('SignatureFailure');
    network.submit(forged);
    expect(network.getAccount(receiver, 'processed')).toBeNull();
    const genuine = parseTransaction(wire);
    expect(network.simulate(genuine, true).err).toBeNull();
    network.submit(genuine);
    expect(network.getAccount(receiver, 'processed')?.lamports).toBe(ONE_SOL);
  });
});
