import { createSolanaRpc, type KeyPairSigner, type Signature } from '@solana/kit';
import { waitForSignature } from '../src/chain/rpc/signature-outcomes.ts';
import type { CheckoutSession } from './checkout-session.ts';
import { signAndSend } from './sign-and-send.ts';

const CONFIRMED_TIMEOUT_MS = 30_000;

/** The network refused a transaction of the customer, or it failed or was not confirmed. */
export class NotApproved extends Error {
  override name = 'NotApproved';
}

/**
 * Performs the steps of a customer's wallet in a checkout: requests the transactions, signs and
 * sends them, and completes the checkout session. Returns the subscription's address.
 *
 * @throws NotApproved, or ApiUnusable
 */
export async function approveCheckout(
  rpcUrl: string,
  session: CheckoutSession,
  wallet: KeyPairSigner,
): Promise<string> {
  const chain = { rpc: createSolanaRpc(rpcUrl) };
  const userWallet = wallet.address;
  for (;;) {
    const { subscriptionPda, transactions, more } = await session.requestTransactions(userWallet);
    let signature = '';
    for (const transaction of transactions) {
      signature = await signAndSend(chain, wallet, transaction).catch((cause: Error) => {
        throw new NotApproved(`the network refused the transaction: ${cause.message}`, { cause });
      });
      await assertConfirmed(chain, signature as Signature);
    }
    if (!more) {
      await session.complete({ subscriptionPda, userWallet, signature });
      return subscriptionPda;
    }
  }
}

async function assertConfirmed(
  chain: Parameters<typeof waitForSignature>[0],
  signature: Signature,
): Promise<void> {
  const outcome = await waitForSignature(chain, signature, { timeoutMs: CONFIRMED_TIMEOUT_MS });
  if (outcome.state === 'unseen') throw new NotApproved(`the transaction ${signature} is not confirmed`);
  if (outcome.err) throw new NotApproved(`the transaction ${signature} failed`);
}
