/** The life cycle of subscriptions as a client of the network sees it over RPC and Yellowstone. */
import {
  type Address,
  fetchEncodedAccount,
  getAddressDecoder,
  getBase58Decoder,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  type ReadonlyUint8Array,
  type Signature,
} from '@solana/kit';
import {
  getRevokeSubscriptionOverlayInstruction,
  getSubscriptionDelegationDecoder,
} from '@solana/subscriptions';
import type { SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { expect, test } from 'vitest';
import { PROGRAM } from '../../src/chain/accounts/addresses.ts';
import { cancelTransaction } from '../../src/chain/transactions/cancel-transactions.ts';
import { unsignedTransaction } from '../../src/chain/transactions/unsigned-transaction.ts';
import { HOUR, PRICE } from '../chain/world.ts';
import { type Request, subscribe as stream } from './geyser/client.ts';
import {
  type Customer,
  createSubscriptionWorld,
  type KitWallet,
  type SubscriptionWorld,
} from './subscription-world.ts';

const CUSTOMERS = 19;
const EVENT_TAG = 'e445a52e51cb9a1d';
const TRANSFER_EVENT = 2;
const base58 = getBase58Encoder();
const base58Text = getBase58Decoder();
const addresses = getAddressDecoder();

/**
 * The filters of an indexer: the program's accounts and transactions that name it, by commitment.
 */
function mirrorAndLedger(commitment: 0 | 1 | 2): Request {
  return {
    accounts: { mirror: { owner: [PROGRAM] } },
    transactions: { ledger: { accountInclude: [PROGRAM], failed: false } },
    commitment,
  };
}

function accountsIn(updates: readonly SubscribeUpdate[]) {
  return updates.flatMap(({ account }) => {
    if (!account?.account) return [];
    const { pubkey, data, writeVersion, txnSignature, lamports } = account.account;
    return {
      address: addresses.decode(pubkey),
      data,
      lamports,
      writeVersion: Number(writeVersion),
      signature: txnSignature && base58Text.decode(txnSignature),
    };
  });
}

function transactionsIn(updates: readonly SubscribeUpdate[]) {
  return updates.flatMap(({ transaction }) => transaction?.transaction ?? []);
}

function signaturesIn(updates: readonly SubscribeUpdate[]): string[] {
  return transactionsIn(updates).map(({ signature }) => base58Text.decode(signature));
}

function isTransferEvent(data: ReadonlyUint8Array): boolean {
  return Buffer.from(data).toString('hex').startsWith(EVENT_TAG) && data[8] === TRANSFER_EVENT;
}

async function subscribeAll(world: SubscriptionWorld) {
  const plan = await world.publishPlan();
  const customers: Customer[] = [await world.subscribe(plan, await world.web3Wallet())];
  while (customers.length < CUSTOMERS) customers.push(await world.subscribe(plan, await world.kitWallet()));
  return { plan, customers };
}

function readConfirmed({ chain }: SubscriptionWorld, signature: Signature) {
  return chain.rpc
    .getTransaction(signature, {
      commitment: 'confirmed',
      encoding: 'json',
      maxSupportedTransactionVersion: 1,
    })
    .send();
}

async function subscriptionAt({ chain }: SubscriptionWorld, address: Address) {
  const account = await fetchEncodedAccount(chain.rpc, address, { commitment: 'confirmed' });
  return account.exists ? getSubscriptionDelegationDecoder().decode(account.data) : null;
}

test('customers subscribe in one transaction, and the mirror has their terms', async () => {
  const world = await createSubscriptionWorld();
  const updates = await stream(world.localnet.geyserUrl, mirrorAndLedger(0));
  const { plan, customers } = await subscribeAll(world);

  expect((await world.listSubscriptions(plan)).sort()).toEqual(
    customers.map(({ subscription }) => subscription).sort(),
  );
  const received = await updates.takeUpdates();
  const [published, ...subscribed] = signaturesIn(received);
  expect(subscribed).toEqual(customers.map(({ signature }) => signature));
  const writes = accountsIn(received);
  expect(writes.filter(({ signature }) => signature === published).map(({ address }) => address)).toEqual([
    plan.address,
  ]);
  for (const { signature, subscription, wallet } of customers) {
    const customerWrites = writes.filter((write) => write.signature === signature);
    expect(customerWrites).toHaveLength(2); // the authority and the subscription
    const write = customerWrites.find(({ address }) => address === subscription);
    expect(getSubscriptionDelegationDecoder().decode(write?.data ?? new Uint8Array())).toMatchObject({
      header: { delegator: wallet.address, delegatee: plan.address },
      terms: { amount: PRICE, periodHours: 1n, createdAt: plan.createdAt },
      amountPulledInPeriod: 0n,
      expiresAtTs: 0n,
    });
  }
});

test('nineteen pulls in one version 1 transaction look the same everywhere', async () => {
  const world = await createSubscriptionWorld();
  const { plan, customers } = await subscribeAll(world);
  const streams = await Promise.all(
    ([0, 1] as const).map((commitment) => stream(world.localnet.geyserUrl, mirrorAndLedger(commitment))),
  );
  const signature = await world.pullAll(plan, customers);

  const byRpc = await readConfirmed(world, signature);
  if (!byRpc?.meta) throw new Error('the pulls have not landed');
  expect(byRpc).toMatchObject({ version: 1, meta: { err: null } });
  const { accountKeys, instructions } = byRpc.transaction.message;
  const inner = byRpc.meta.innerInstructions ?? [];
  expect(instructions).toHaveLength(CUSTOMERS);
  expect(inner.map(({ index }) => Number(index))).toEqual(instructions.map((_, index) => index));
  for (const { instructions } of inner) {
    const events = instructions.filter(
      ({ programIdIndex, data }) =>
        accountKeys[programIdIndex] === PROGRAM && isTransferEvent(base58.encode(data)),
    );
    expect(events).toHaveLength(1);
  }
  expect(tokenChanges(byRpc.meta)).toEqual(
    new Map([
      [world.merchant.address, BigInt(CUSTOMERS) * PRICE],
      ...customers.map(({ wallet }) => [wallet.address, -PRICE] as const),
    ]),
  );

  for (const updates of streams) {
    const received = await updates.takeUpdates();
    // Every account that the transaction wrote, in the message's order, and then the transaction.
    const writes = accountsIn(received);
    expect(writes).toHaveLength(CUSTOMERS);
    const expected = new Set(customers.map(({ subscription }) => subscription));
    expect(writes.map(({ address }) => address)).toEqual(accountKeys.filter((key) => expected.has(key)));
    expect(writes.map(({ signature }) => signature)).toEqual(writes.map(() => signature));
    expect(isAscending(writes.map(({ writeVersion }) => writeVersion))).toBe(true);
    expect(received.at(-1)?.transaction).toBeDefined();
    for (const { data } of writes) {
      expect(getSubscriptionDelegationDecoder().decode(data).amountPulledInPeriod).toBe(PRICE);
    }

    const [transaction, ...others] = transactionsIn(received);
    expect(others).toEqual([]);
    expect(base58Text.decode(transaction?.signature ?? new Uint8Array())).toBe(signature);
    expect(transaction?.transaction?.message).toMatchObject({
      versioned: true,
      config: { priorityFee: undefined },
    });
    expect(transaction?.transaction?.message?.accountKeys.map((key) => addresses.decode(key))).toEqual(
      accountKeys,
    );
    const innerCalls = transaction?.meta?.innerInstructions.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map(({ accounts, data, ...rest }) => ({
        ...rest,
        accounts: [...accounts],
        data: base58Text.decode(data),
      })),
    }));
    expect(innerCalls).toEqual(
      inner.map(({ index, instructions }) => ({
        index: Number(index),
        instructions: instructions.map(({ programIdIndex, accounts, data, stackHeight }) => ({
          programIdIndex,
          accounts: [...accounts],
          data,
          stackHeight,
        })),
      })),
    );
  }
});

test('a subscription is cancelled, expires and is closed', async () => {
  const world = await createSubscriptionWorld();
  const plan = await world.publishPlan();
  const leaving = await world.subscribe(plan, await world.kitWallet());
  const leavingWeb3 = await world.subscribe(plan, await world.web3Wallet());
  const staying = await world.subscribe(plan, await world.kitWallet());
  const updates = await stream(world.localnet.geyserUrl, mirrorAndLedger(0));
  const byAddress = await stream(world.localnet.geyserUrl, {
    accounts: { one: { account: [leaving.subscription] } },
  });

  for (const { wallet, subscription } of [leaving, leavingWeb3]) {
    const parties = { subscriber: wallet.address, plan: plan.address };
    const signature = await wallet.signAndSend(await cancelTransaction(world.chain, parties));
    const received = await updates.takeUpdates();
    expect(signaturesIn(received)).toEqual([signature]);
    const [write] = accountsIn(received);
    const { currentPeriodStartTs, expiresAtTs } = getSubscriptionDelegationDecoder().decode(
      write?.data ?? new Uint8Array(),
    );
    expect(expiresAtTs).toBe(currentPeriodStartTs + BigInt(HOUR));
    expect(await subscriptionAt(world, subscription)).toMatchObject({ expiresAtTs });
  }
  expect(accountsIn(await byAddress.takeUpdates())).toHaveLength(1);

  await expect(revoke(world, plan.address, leaving)).rejects.toThrow();
  await world.travel(HOUR + 1);
  const closed = await revoke(world, plan.address, leaving);
  const received = await updates.takeUpdates();
  expect(accountsIn(received)).toEqual([]);
  expect(signaturesIn(received)).toEqual([closed]);
  const [transaction] = transactionsIn(received);
  const message = transaction?.transaction?.message;
  expect(message?.instructions.map(({ data }) => data[0])).toEqual([3]);
  expect(message?.accountKeys.map((key) => addresses.decode(key))).toContain(leaving.subscription);
  expect(accountsIn(await byAddress.takeUpdates())).toMatchObject([
    { lamports: '0', data: new Uint8Array() },
  ]);

  expect(await subscriptionAt(world, leaving.subscription)).toBeNull();
  expect((await world.listSubscriptions(plan)).sort()).toEqual(
    [leavingWeb3.subscription, staying.subscription].sort(),
  );

  const resubscribed = await world.subscribe(plan, leaving.wallet);
  expect(resubscribed.subscription).toBe(leaving.subscription);
  expect(await world.listSubscriptions(plan)).toContain(leaving.subscription);
});

async function revoke(
  world: SubscriptionWorld,
  planPda: Address,
  { wallet, subscription }: Customer<KitWallet>,
): Promise<Signature> {
  const instruction = getRevokeSubscriptionOverlayInstruction({
    authority: wallet.signer,
    planPda,
    subscriptionPda: subscription,
  });
  const unsigned = await unsignedTransaction(world.chain, wallet.address, [instruction]);
  return wallet.signAndSend(getBase64EncodedWireTransaction(unsigned));
}

interface TokenBalances {
  readonly preTokenBalances?: readonly TokenBalance[] | undefined;
  readonly postTokenBalances?: readonly TokenBalance[] | undefined;
}

interface TokenBalance {
  readonly accountIndex: number;
  readonly owner?: string;
  readonly uiTokenAmount: { readonly amount: string };
}

/** The change of each owner's tokens. */
function tokenChanges({ preTokenBalances = [], postTokenBalances = [] }: TokenBalances): Map<string, bigint> {
  const before = new Map(preTokenBalances.map((balance) => [balance.accountIndex, balance]));
  return new Map(
    postTokenBalances.map(({ accountIndex, owner = '', uiTokenAmount }) => [
      owner,
      BigInt(uiTokenAmount.amount) - BigInt(before.get(accountIndex)?.uiTokenAmount.amount ?? 0),
    ]),
  );
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? number));
}
