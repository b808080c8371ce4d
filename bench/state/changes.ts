import { address } from '@solana/kit';
import { Connection, VersionedTransaction } from '@solana/web3.js';
import type { Chain } from '../../src/chain/chain.ts';
import { cancelTransaction, resumeTransaction } from '../../src/chain/transactions/cancel-transactions.ts';
import { getState } from '../../src/domain/billing/customer-state/get-states.ts';
import { createEndpoint } from '../../src/domain/messages/webhook/create-endpoint.ts';
import { pollUntil } from '../../tools/poll-until.ts';
import { startReceiver } from '../../tools/world/webhook-receiver.ts';
import { type Buyer, buyWithSolanaPay } from '../customer/buys.ts';
import { type CustomerWorld, startCustomerWorld } from '../customer/world.ts';
import { percentile, round } from '../lib/statistics.ts';

/** As many checkouts as one network address may open in a while. */
const CUSTOMERS = 10;
/** Each customer cancels and resumes in turn. */
const CHANGES_EACH = 10;
const DAY = 86_400;

/**
 * Lets customers cancel and resume on chain, one after the other, and measures from the confirmation until the state shows it
 * and its webhook has arrived. Before, all of them renew once.
 */
export async function measureChanges() {
  await using closing = new AsyncDisposableStack();
  const world = await startCustomerWorld(closing);
  const { ctx, seller } = world;
  const receiver = await startReceiver();
  closing.defer(() => receiver.close());
  await createEndpoint(ctx, { ...seller.scope, url: receiver.url, eventTypes: ['customer.state_changed'] });
  const buyers: Buyer[] = [];
  for (let count = 0; count < CUSTOMERS; count++) buyers.push(await buyWithSolanaPay(world));
  console.log(`${CUSTOMERS} customers have subscribed`);
  await untilPaid(world, 1);

  const before = await writesOf(world);
  await world.travel(DAY);
  await untilPaid(world, 2);
  const renewalWrites = await countChanged(world, before);
  console.log('all have renewed');

  const arrivals = new Map<string, number>();
  receiver.answer = (response, { body }) => {
    const { data } = JSON.parse(body);
    arrivals.set(`${data.customerId} ${data.version}`, performance.now());
    response.end('ok');
  };
  const toState: number[] = [];
  const toWebhook: number[] = [];
  for (let change = 0; change < CUSTOMERS * CHANGES_EACH; change++) {
    const buyer = buyers[change % CUSTOMERS] as Buyer;
    const { customerId } = buyer.subscription;
    const { version } = await getState(ctx, seller.scope, customerId);
    const build = Math.floor(change / CUSTOMERS) % 2 === 0 ? cancelTransaction : resumeTransaction;
    const confirmedAt = await land(world, buyer, build);
    await pollUntil(async () => (await getState(ctx, seller.scope, customerId)).version > version, 5);
    toState.push(performance.now() - confirmedAt);
    const arrival = `${customerId} ${version + 1}`;
    await pollUntil(async () => arrivals.has(arrival));
    toWebhook.push((arrivals.get(arrival) ?? Number.NaN) - confirmedAt);
  }
  return {
    chain_to_state_p99_ms: round(percentile(toState, 0.99)),
    chain_to_webhook_p99_ms: round(percentile(toWebhook, 0.99)),
    renewal_writes: renewalWrites,
  };
}

async function untilPaid({ ctx, seller }: CustomerWorld, payments: number): Promise<void> {
  const unpaid = { ...seller.scope, paymentCount: { lt: payments } };
  await pollUntil(async () => (await ctx.db.subscription.count({ where: unpaid })) === 0);
}

/** The transaction that wrote each state last. */
async function writesOf({ ctx }: CustomerWorld): Promise<ReadonlyMap<string, string>> {
  const rows = await ctx.db.$queryRaw<{ customerId: string; xmin: string }[]>`
    SELECT "customerId", xmin::text FROM "CustomerState"`;
  return new Map(rows.map(({ customerId, xmin }) => [customerId, xmin]));
}

async function countChanged(world: CustomerWorld, before: ReadonlyMap<string, string>): Promise<number> {
  const after = await writesOf(world);
  return [...after].filter(([customerId, xmin]) => before.get(customerId) !== xmin).length;
}

/** Changes the subscription on chain with the customer's wallet. Returns the time of the confirmation. */
async function land(
  { ctx, rpcUrl, seller }: CustomerWorld,
  { wallet }: Buyer,
  build: typeof resumeTransaction,
): Promise<number> {
  const connection = new Connection(rpcUrl, 'confirmed');
  const wire = await build(ctx.chain.TEST as Chain, {
    subscriber: address(wallet.publicKey.toBase58()),
    plan: address(seller.plan.address),
    mint: address(seller.plan.mint),
  });
  const transaction = VersionedTransaction.deserialize(Buffer.from(wire, 'base64'));
  transaction.sign([wallet]);
  const signature = await connection.sendTransaction(transaction);
  await pollUntil(async () => {
    const { value } = await connection.getSignatureStatus(signature);
    return value?.confirmationStatus === 'confirmed' || value?.confirmationStatus === 'finalized';
  }, 5);
  return performance.now();
}
