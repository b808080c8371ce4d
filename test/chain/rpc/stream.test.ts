import { setTimeout as wait } from 'node:timers/promises';
import type { Address } from '@solana/kit';
import {
  getCloseSubscriptionAuthorityInstruction,
  getDeletePlanInstruction,
  getRevokeSubscriptionOverlayInstruction,
} from '@solana/subscriptions';
import { expect, onTestFinished, test } from 'vitest';
import { startLocalnet } from '../../../localnet/localnet.ts';
import { accountKind, decodeTokenAccount } from '../../../src/chain/accounts/accounts.ts';
import { authorityAddress, PROGRAM } from '../../../src/chain/accounts/addresses.ts';
import { readAccounts } from '../../../src/chain/accounts/read-accounts.ts';
import { type TouchedAccount, touchedAccounts } from '../../../src/chain/accounts/touched-accounts.ts';
import { createChain } from '../../../src/chain/create-chain.ts';
import { NodeBehind } from '../../../src/chain/rpc/as-of.ts';
import {
  type ChainTransaction,
  readTransaction,
  signaturePages,
  signaturesFor,
} from '../../../src/chain/rpc/chain-transaction.ts';
import {
  type ChainStream,
  openStream,
  type StreamOptions,
  type StreamUpdate,
} from '../../../src/chain/rpc/yellowstone.ts';
import { cancelTransaction, resumeTransaction } from '../../../src/chain/transactions/cancel-transactions.ts';
import { sunsetPlanTransaction } from '../../../src/chain/transactions/plan-transactions.ts';
import { decodeEvents } from '../../../src/chain/transactions/program-events.ts';
import { alteredRpc } from '../altered-rpc.ts';
import { createWorld, HOUR, USDC, type World } from '../world.ts';

/** Returns a reader of the stream, in order, as far as the test needs. */
function readerOf(stream: ChainStream) {
  onTestFinished(() => stream.close());
  const updates = stream[Symbol.asyncIterator]();
  return {
    stream,
    /** Returns all updates up to the first match. */
    async until(wanted: (update: StreamUpdate) => boolean): Promise<StreamUpdate[]> {
      const read: StreamUpdate[] = [];
      for (;;) {
        const { value, done } = await updates.next();
        if (done) throw new Error('The stream has ended');
        read.push(value);
        if (wanted(value)) return read;
      }
    },
    next: () => updates.next(),
  };
}

/** A reader of an active stream, which has received a block. */
async function openReader({ chain, network }: World, options?: StreamOptions) {
  const reader = readerOf(await openStream(chain.config, options));
  const ticking = setInterval(() => network.tick(), 5);
  await reader.until(({ type }) => type === 'block').finally(() => clearInterval(ticking));
  return reader;
}

/**
 * Performs every step of a subscription. Returns the transactions and the accounts that they close.
 */
async function performAllSteps(
  world: World,
): Promise<{ landed: ChainTransaction[]; closed: TouchedAccount[] }> {
  const { chain, merchant } = world;
  const endsAt = BigInt(world.network.unixSeconds() + 10 * HOUR);
  const plan = await world.publishPlan({ endsAt });
  const [customer, other] = [await world.newCustomer(plan), await world.newCustomer(plan)];
  const { wallet, subscription } = customer;
  const parties = { subscriber: wallet.address, plan: plan.address };
  const landed = [plan.transaction, customer.transaction, other.transaction];
  landed.push(await world.land((await world.sign(await world.pullsOf(plan, customer, other))).wire));
  landed.push(await world.signAndLand(await cancelTransaction(chain, parties), wallet));
  const resume = await resumeTransaction(chain, { ...parties, mint: USDC });
  landed.push(await world.signAndLand(resume, wallet));
  landed.push(await world.signAndLand(await cancelTransaction(chain, parties), wallet));
  const sunset = { owner: merchant.address, plan: plan.address, endsAt: endsAt - 1n };
  landed.push(await world.signAndLand(await sunsetPlanTransaction(chain, sunset), merchant));
  await world.travel(10 * HOUR);
  const revoke = getRevokeSubscriptionOverlayInstruction({
    authority: wallet,
    planPda: plan.address,
    subscriptionPda: subscription,
  });
  const authority = await authorityAddress(wallet.address, USDC);
  const close = getCloseSubscriptionAuthorityInstruction({ user: wallet, subscriptionAuthority: authority });
  landed.push(await world.landInstructions(wallet, [revoke, close]));
  const remove = getDeletePlanInstruction({ owner: merchant, planPda: plan.address });
  landed.push(await world.landInstructions(merchant, [remove]));
  return {
    landed,
    closed: [
      { address: subscription, kind: 'subscription', actor: wallet.address },
      { address: authority, kind: 'authority', actor: wallet.address },
      { address: plan.address, kind: 'plan', actor: merchant.address },
    ],
  };
}

test('RPC and Yellowstone return the same transactions, events and closes', async () => {
  const world = await createWorld();
  const reader = await openReader(world);
  const { landed, closed } = await performAllSteps(world);
  const last = landed.at(-1)?.signature;
  const updates = await reader.until(
    (update) => isTransaction(update) && update.transaction.signature === last,
  );
  const streamed = updates.filter(isTransaction).map(({ transaction }) => transaction);
  expect(streamed).toEqual(landed.map((transaction) => ({ ...transaction, blockTime: null })));
  expect(streamed.map(decodeEvents)).toEqual(landed.map(decodeEvents));
  expect(landed.map((each) => decodeEvents(each).map(({ type, index }) => `${type} ${index}`))).toEqual([
    [],
    ['created 3'],
    ['created 3'],
    ['transfer 1', 'transfer 3'],
    ['cancelled 0'],
    ['resumed 0'],
    ['cancelled 0'],
    ['planUpdated 0'],
    [],
    [],
  ]);
  expect(streamed.flatMap(touchedAccounts)).toEqual(closed);
  expect(landed.flatMap(touchedAccounts)).toEqual(closed);
});

test('signatures are paged newest first, and end at a known signature', async () => {
  const world = await createWorld();
  const { landed } = await performAllSteps(world);
  const newestFirst = landed.map(({ signature }) => signature).reverse();
  const found = async (options?: Parameters<typeof signaturesFor>[2]) =>
    (await signaturesFor(world.chain, PROGRAM, options)).map(({ signature }) => signature);
  expect(await found()).toEqual(newestFirst);
  expect(await found({ limit: 4 })).toEqual(newestFirst.slice(0, 4));
  expect(await found({ until: newestFirst[3] })).toEqual(newestFirst.slice(0, 3));
  expect(await found({ until: newestFirst[3], limit: 2 })).toEqual(newestFirst.slice(0, 2));
});

test('pages join without a gap or a repetition', async () => {
  const world = await createWorld();
  const { landed } = await performAllSteps(world);
  const newestFirst = landed.map(({ signature }) => signature).reverse();
  for (const firstLimit of [2, 3, newestFirst.length - 1, newestFirst.length]) {
    const found: string[] = [];
    for await (const page of signaturePages(world.chain, PROGRAM, { firstLimit })) {
      for (const { signature } of page) found.push(signature);
    }
    expect(found).toEqual(newestFirst);
  }
});

test('a page from a node that lacks the earlier page is an error', async () => {
  const world = await createWorld();
  await performAllSteps(world);
  const rpcUrl = await alteredRpc(world.chain.config.rpcUrl, ({ params }, _, answer) => {
    const config = params[1] as { before?: string } | undefined;
    // Agave lists nothing before a transaction that it does not have.
    if (config?.before) Object.assign(answer, { result: [] });
  });
  const chain = await createChain('TEST', { ...world.chain.config, rpcUrl });
  const pages = signaturePages(chain, PROGRAM, { firstLimit: 2 });
  expect((await pages.next()).value).toHaveLength(2);
  await expect(pages.next()).rejects.toThrow(NodeBehind);
});

test('a transaction that failed has no events', async () => {
  const world = await createWorld();
  const reader = await openReader(world);
  const plan = await world.publishPlan();
  const customers = [await world.newCustomer(plan), await world.newCustomer(plan)];
  const [good, bad] = await world.pullsOf(plan, ...customers);
  if (!good || !bad) throw new Error('No pulls');
  const failed = await world.outcome((await world.sign([good, { ...bad, amount: 0n }])).wire);
  expect(failed.err).toEqual({ name: 'Custom', instruction: 1, custom: 129 });
  // The first pull is visible with its event, but was rolled back.
  expect(failed.instructions.filter(({ innerIndex }) => innerIndex !== null).length).toBeGreaterThan(0);
  expect(decodeEvents(failed)).toEqual([]);
  const [next] = [await world.land((await world.sign([good])).wire)];
  const updates = await reader.until(
    (update) => isTransaction(update) && update.transaction.signature === next.signature,
  );
  const streamed = updates.filter(isTransaction).map(({ transaction }) => transaction.signature);
  expect(streamed).not.toContain(failed.signature);
  expect(await readTransaction(world.chain, failed.signature)).toEqual(failed);
});

test('accounts of the program are streamed as a read returns them', async () => {
  const world = await createWorld();
  const reader = await openReader(world);
  const plan = await world.publishPlan();
  const { slot: landingSlot } = (await world.newCustomer(plan)).transaction;
  const updates = await reader.until((update) => update.type === 'block' && update.slot >= landingSlot);
  const kinds = updates.filter(isAccount).map(({ data, source }) => `${source} ${accountKind(data)}`);
  expect(kinds.toSorted()).toEqual(['program authority', 'program plan', 'program subscription']);
  const streamed = updates
    .filter(isAccount)
    .map(({ address, data }) => ({ address, data: new Uint8Array(data) }));
  const read = await readAccounts(
    world.chain,
    streamed.map(({ address }) => address),
    'program',
  );
  expect(
    read.map((account) => account && { address: account.address, data: new Uint8Array(account.data) }),
  ).toEqual(streamed);
});

test('token accounts are watched while they are requested', async () => {
  const world = await createWorld();
  const plan = await world.publishPlan();
  const customers = [await world.newCustomer(plan), await world.newCustomer(plan)];
  const [first, second] = (await world.pullsOf(plan, ...customers)).map((pull) => pull.payerTokenAccount);
  if (!first || !second) throw new Error('No token accounts');
  const reader = await openReader(world, { tokenAccounts: [first] });
  const topUp = async (amount: number) => {
    for (const { wallet } of customers) await world.setTokens(wallet.address, { amount });
  };
  const hasAmount = (address: Address, amount: bigint) => (update: StreamUpdate) =>
    isAccount(update) && update.address === address && decodeTokenAccount(update.data).amount === amount;
  /** Tops up both. Returns the accounts whose update arrived, up to the expected one. */
  const waitForAmount = async (wanted: Address, amount: number) => {
    await topUp(amount);
    const updates = await reader.until(hasAmount(wanted, BigInt(amount)));
    return [first, second].filter((address) => updates.some(hasAmount(address, BigInt(amount))));
  };
  expect(await waitForAmount(first, 1)).toEqual([first]);
  await reader.stream.watchTokenAccounts([second]);
  // The server reads the request some time later.
  let isWatched = false;
  const repeating = (async () => {
    for (; !isWatched; await wait(10)) await topUp(2);
  })();
  await reader.until(hasAmount(second, 2n)).finally(() => {
    isWatched = true;
  });
  // Otherwise the last top-up might follow the next one in the same slot.
  await repeating;
  expect(await waitForAmount(second, 3)).toEqual([second]);
});

test('slots and blocks form a chain', async () => {
  const world = await createWorld();
  const reader = await openReader(world);
  for (let slot = 0; slot < 40; slot += 1) world.network.tick();
  const updates = await reader.until((update) => update.type === 'slot' && update.status === 'finalized');
  const blocks = updates.flatMap((update) => (update.type === 'block' ? [update] : []));
  expect(blocks.length).toBeGreaterThan(1);
  for (const [index, block] of blocks.entries()) {
    const parent = blocks[index - 1];
    if (!parent) continue;
    expect(block).toMatchObject({ parentSlot: parent.slot, parentBlockhash: parent.blockhash });
    expect(block.blockHeight).toBe((parent.blockHeight ?? 0n) + 1n);
  }
  const statuses = new Set(updates.flatMap((update) => (update.type === 'slot' ? [update.status] : [])));
  expect(statuses).toEqual(new Set(['processed', 'confirmed', 'finalized']));
});

test('missed updates are replayed from a slot', async () => {
  const world = await createWorld();
  const { landed } = await performAllSteps(world);
  const [, second] = landed;
  if (!second) throw new Error('Nothing landed');
  const reader = readerOf(await openStream(world.chain.config, { fromSlot: second.slot }));
  const updates = await reader.until(
    (update) => isTransaction(update) && update.transaction.signature === landed.at(-1)?.signature,
  );
  expect(updates.filter(isTransaction).map(({ transaction }) => transaction.signature)).toEqual(
    landed.slice(1).map(({ signature }) => signature),
  );
});

test('a stream ends when the server ends it, and throws when it breaks', async () => {
  const world = await createWorld();
  const [ended, broken] = [await openReader(world), await openReader(world)];
  await world.cheat('localnet_setFaults', [{ streams: { end: true } }]);
  await expect(drain(ended)).resolves.toBe('ended');
  await expect(drain(broken)).resolves.toBe('ended');
  const cut = await openReader(world);
  await world.cheat('localnet_setFaults', [{ streams: { cut: true } }]);
  await expect(drain(cut)).rejects.toThrow(/^The Yellowstone stream of http:\S+ broke: .*shutting down/);
});

test('closing a stream ends it for its reader, without an error', async () => {
  const world = await createWorld();
  const reader = await openReader(world);
  const drained = drain(reader);
  reader.stream.close();
  await expect(drained).resolves.toBe('ended');
  await expect(reader.stream.watchTokenAccounts([])).rejects.toThrow();
});

test('the error of a stream that cannot be opened has the reason', async () => {
  const world = await createWorld();
  const tokenProtected = await startLocalnet({ slotMs: 0, xToken: 'sesame' });
  onTestFinished(() => tokenProtected.close());
  const open = (changes: object) => openStream({ ...world.chain.config, ...changes });
  await expect(open({ yellowstoneUrl: 'http://127.0.0.1:1' })).rejects.toThrow(
    'The Yellowstone stream of http://127.0.0.1:1 cannot be opened: Connection refused',
  );
  await expect(open({ yellowstoneUrl: undefined })).rejects.toThrow('No Yellowstone URL');
  await expect(open({ yellowstoneUrl: tokenProtected.geyserUrl })).rejects.toThrow('auth token');
  const authorized = await open({ yellowstoneUrl: tokenProtected.geyserUrl, yellowstoneToken: 'sesame' });
  authorized.close();
});

async function drain({ next }: ReturnType<typeof readerOf>): Promise<'ended'> {
  for (;;) if ((await next()).done) return 'ended';
}

function isTransaction(update: StreamUpdate) {
  return update.type === 'transaction';
}

function isAccount(update: StreamUpdate) {
  return update.type === 'account';
}
