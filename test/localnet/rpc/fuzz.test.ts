import { generateKeyPairSigner } from '@solana/kit';
import {
  AddressLookupTableProgram,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterRpcMethods } from '../../../localnet/rpc/methods.ts';
import { signedTransfer } from '../../../tools/world/wallet.ts';
import { base64, finalizeAll, ONE_SOL, startWorld, type World } from './world.ts';

const RUNS = 400;
const ALLOWED_CODES = [-32700, -32600, -32601, -32602, -32001, -32002, -32004, -32007, -32015, -32016];

/** Expects HTTP 413 or a JSON-RPC response without an internal error. */
async function expectResponse(url: string, body: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const text = await response.text();
  if (response.status !== 200) {
    expect(response.status).toBe(413);
    return;
  }
  if (text === '') return;
  const parsed = JSON.parse(text);
  for (const { error, id } of Array.isArray(parsed) ? parsed : [parsed]) {
    expect(id).not.toBeUndefined();
    if (error) expect(ALLOWED_CODES).toContain(error.code);
  }
}

/** Creates a signed transaction of each version. That of version 0 has a lookup table. */
async function sampleTransactions(world: World): Promise<Uint8Array[]> {
  const { network, payer, web3 } = world;
  const from = world.fundedKeypair();
  const to = (await generateKeyPairSigner()).address;
  const authority = from.publicKey;
  const recentSlot = network.slot('confirmed');
  const [create, table] = AddressLookupTableProgram.createLookupTable({
    authority,
    payer: authority,
    recentSlot,
  });
  const addresses = [new PublicKey(to)];
  const extend = AddressLookupTableProgram.extendLookupTable({
    lookupTable: table,
    authority,
    payer: authority,
    addresses,
  });
  await web3.sendTransaction(new Transaction().add(create, extend), [from]);
  finalizeAll(network);
  const lookupTable = (await web3.getAddressLookupTable(table)).value;
  if (!lookupTable) throw new Error('the lookup table does not exist');
  const message = new TransactionMessage({
    payerKey: authority,
    recentBlockhash: network.latestBlockhash('confirmed').blockhash,
    instructions: [
      SystemProgram.transfer({ fromPubkey: authority, toPubkey: new PublicKey(to), lamports: 1e9 }),
    ],
  });
  const withLookup = new VersionedTransaction(message.compileToV0Message([lookupTable]));
  withLookup.sign([from]);
  return [
    await signedTransfer(network, payer, to, ONE_SOL, 'legacy'),
    withLookup.serialize(),
    await signedTransfer(network, payer, to, ONE_SOL, 1),
  ];
}

/** Removed and inserted bytes. */
const damage = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    remove: fc.nat({ max: 3 }),
    insert: fc.uint8Array({ maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 4 },
);

function applyEdits(
  wire: Uint8Array,
  edits: readonly { at: number; remove: number; insert: Uint8Array }[],
): Uint8Array {
  let bytes = [...wire];
  for (const { at, remove, insert } of edits) {
    const offset = Math.floor(at * bytes.length);
    bytes = [...bytes.slice(0, offset), ...insert, ...bytes.slice(offset + remove)];
  }
  return Uint8Array.from(bytes);
}

describe('the server with random input', () => {
  it('answers any text and any JSON', async () => {
    const { url, ask } = await startWorld();
    const body = fc.oneof(fc.string({ unit: 'binary' }), fc.json());
    await fc.assert(
      fc.asyncProperty(body, (text) => expectResponse(url, text)),
      { numRuns: RUNS },
    );
    expect(await ask('getHealth')).toBe('ok');
  });

  it('answers every method with any parameters', async () => {
    const { network, url, ask, payer } = await startWorld();
    const methods = Object.keys(clusterRpcMethods(network));
    const config = fc.dictionary(
      fc.constantFrom(
        'commitment',
        'encoding',
        'minContextSlot',
        'filters',
        'dataSlice',
        'limit',
        'before',
        'accounts',
        'mint',
        'maxSupportedTransactionVersion',
        'transactionDetails',
      ),
      fc.oneof(
        fc.jsonValue(),
        fc.constantFrom('confirmed', 'processed', 'jsonParsed', 'base64', 'accounts', 0, 1),
      ),
    );
    const parameter = fc.oneof(
      fc.jsonValue(),
      config,
      fc.constantFrom<unknown>(
        payer.address,
        [payer.address],
        network.slot('finalized'),
        1e300,
        -1,
        'z'.repeat(44),
      ),
    );
    const call = fc.record({
      method: fc.constantFrom(...methods),
      params: fc.array(parameter, { maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(call, (request) =>
        expectResponse(url, JSON.stringify({ jsonrpc: '2.0', id: 1, ...request })),
      ),
      { numRuns: 2 * RUNS },
    );
    expect(await ask('getHealth')).toBe('ok');
  });

  it('continues after damaged transactions', async () => {
    const world = await startWorld();
    const { url, ask, payer, transfer } = world;
    const samples = await sampleTransactions(world);
    const send = fc.record({
      sample: fc.constantFrom(...samples),
      edits: damage,
      call: fc.constantFrom(
        ['sendTransaction', { encoding: 'base64', skipPreflight: true }],
        ['sendTransaction', { encoding: 'base64', preflightCommitment: 'confirmed' }],
        [
          'simulateTransaction',
          { encoding: 'base64', replaceRecentBlockhash: true, innerInstructions: true },
        ],
        ['simulateTransaction', { encoding: 'base64', sigVerify: true }],
        ['getFeeForMessage', { commitment: 'confirmed' }],
      ),
    });
    await fc.assert(
      fc.asyncProperty(send, ({ sample, edits, call: [method, config] }) => {
        const params = [base64(applyEdits(sample, edits)), config];
        return expectResponse(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
      }),
      { numRuns: 3 * RUNS },
    );
    expect(await ask('getSignatureStatuses', [await transfer(payer.address)])).toMatchObject({
      value: [{ err: null }],
    });
  });
});
