import type { ReadonlyUint8Array } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import type { Chain } from '../../chain/chain.ts';
import { type SignedPulls, signPulls } from '../../chain/pull-transactions.ts';
import { latestBlockhash, sendWire } from '../../chain/send.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { COLLECTING } from '../subscription/status.ts';
import { lockSubscription } from './billable.ts';
import { holdsClaim } from './claim-due.ts';
import type { PayablePayment } from './collect-payments.ts';

/** How many transactions are on their way to the node at the same time. */
const SENDS_AT_ONCE = 16;
const FEE_LAMPORTS = 5_000n;
/** What an account without data has to hold (before rents were lowered): a fee may not take its payer below that. */
const RESERVE_LAMPORTS = 890_880n;

interface Signed {
  readonly due: PayablePayment;
  readonly signed: SignedPulls;
}

/**
 * Signs a transaction for each payment, writes all of them down, and only then sends: whatever dies after that, the
 * follower finds what may still land.
 */
export async function submitPulls(
  ctx: AppContext,
  chain: Chain,
  payable: readonly PayablePayment[],
): Promise<void> {
  if (payable.length === 0) return;
  await assertCollectorCanPay(chain, payable.length);
  const blockhash = await latestBlockhash(chain);
  const signed = await Promise.all(
    payable.map(async (due) => ({
      due,
      signed: await signPulls(chain, [due.pull], { blockhash, version: 0 }),
    })),
  );
  const written: Signed[] = [];
  for (const one of signed) if (await writeDown(ctx, chain, one)) written.push(one);
  for (let start = 0; start < written.length; start += SENDS_AT_ONCE) {
    const batch = written.slice(start, start + SENDS_AT_ONCE);
    await Promise.all(batch.map(({ signed: { wire } }) => sendQuietly(ctx, chain, wire)));
  }
}

/** A cluster drops what its payer cannot pay for without a word: nobody would ever learn why nothing is collected. */
async function assertCollectorCanPay({ rpc, collector }: Chain, transactions: number): Promise<void> {
  const { value: lamports } = await rpc.getBalance(collector.address, { commitment: 'confirmed' }).send();
  if (lamports >= RESERVE_LAMPORTS + FEE_LAMPORTS * BigInt(transactions)) return;
  throw new Error(`The collector ${collector.address} cannot pay the fees: it has ${lamports} lamports`);
}

/** Hands the bytes to the node. A transport error is not a no: the follower sends again until the chain has answered. */
export async function sendQuietly(ctx: AppContext, chain: Chain, wire: ReadonlyUint8Array): Promise<void> {
  await sendWire(chain, wire).catch((err: unknown) => {
    ctx.log.warn({ err, environment: chain.environment }, 'transaction not handed over, will be sent again');
  });
}

/**
 * Writes the signed transaction and its attempt down and takes the subscription off the list of what is due. Answers
 * false, with nothing written, where it must not be sent any more: cancelled, paid, too late, or submitted by somebody
 * else.
 */
async function writeDown(ctx: AppContext, chain: Chain, { due, signed }: Signed): Promise<boolean> {
  const now = ctx.clock.now();
  try {
    return await ctx.db.$transaction(async (tx) => {
      const subscription = await lockSubscription(tx, due.subscription.id);
      const payment = await tx.payment.findUniqueOrThrow({ where: { id: due.payment.id } });
      if (!COLLECTING.includes(subscription.status) || payment.status !== 'DUE') return false;
      if (!holdsClaim(subscription, due.subscription.claimedUntil, now)) return false;
      await tx.transferTransaction.create({
        data: {
          environment: chain.environment,
          signature: signed.signature,
          wire: Uint8Array.from(signed.wire),
          lastValidBlockHeight: signed.lastValidBlockHeight,
          createdAt: now,
          attempts: { create: { paymentId: payment.id, status: 'SUBMITTED', createdAt: now } },
        },
      });
      await tx.subscription.update({
        where: { id: subscription.id },
        data: { nextAttemptAt: null, claimedUntil: null },
      });
      return true;
    });
  } catch (error) {
    // The index "Attempt_one_submitted": another process has a transaction on its way for this payment.
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') return false;
    throw error;
  }
}
