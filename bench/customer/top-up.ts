import { createTransferInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import { Connection, PublicKey, Transaction } from '@solana/web3.js';
import { pollUntil } from '../../tools/poll-until.ts';
import { buyWithSolanaPay } from './buys.ts';
import { type CustomerWorld, PRICE } from './world.ts';

const CUSTOMERS = 3;
const DAY = 86_400;

/**
 * Sends money from another wallet to customers whose second payment has failed. Returns the longest
 * time from the transfer to the payment, in milliseconds. Without a top-up, the next attempt would
 * follow one minute after the failure.
 */
export async function measureTopUps(world: CustomerWorld): Promise<number> {
  const { ctx, rpcUrl } = world;
  const mint = new PublicKey(world.mint);
  const connection = new Connection(rpcUrl, 'confirmed');
  const friend = await buyWithSolanaPay(world);
  const customers = [];
  for (let count = 0; count < CUSTOMERS; count += 1) {
    customers.push(await buyWithSolanaPay(world, PRICE));
  }
  const readRow = (id: string) => ctx.db.subscription.findUniqueOrThrow({ where: { id } });
  for (const { subscription } of customers) {
    await pollUntil(async () => (await readRow(subscription.id)).paymentCount === 1);
  }
  await world.travel(DAY);
  let longest = 0;
  for (const { wallet, subscription } of customers) {
    await pollUntil(async () => (await readRow(subscription.id)).status === 'PAST_DUE');
    const accounts = [friend.wallet, wallet].map((owner) =>
      getAssociatedTokenAddressSync(mint, owner.publicKey),
    );
    const [source, destination] = accounts as [PublicKey, PublicKey];
    const transfer = createTransferInstruction(source, destination, friend.wallet.publicKey, PRICE);
    const startedAt = performance.now();
    await connection.sendTransaction(new Transaction().add(transfer), [friend.wallet]);
    await pollUntil(async () => (await readRow(subscription.id)).paymentCount === 2);
    longest = Math.max(longest, performance.now() - startedAt);
  }
  return longest;
}
