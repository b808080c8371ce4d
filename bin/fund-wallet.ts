import { setTimeout as wait } from 'node:timers/promises';
import { type Address, createSolanaRpc } from '@solana/kit';
import { callCheatCode } from './cheat-code.ts';

const LAMPORTS = 10_000_000_000;
const POLL_INTERVAL_MS = 50;
const SEEN_WITHIN_MS = 30_000;

/**
 * Gives a wallet of a local network 10 SOL and an amount of a token; resolves when all clients see
 * it.
 *
 * @throws CheatCodeRefused if it is not a local network
 */
export async function fundWallet(
  rpcUrl: string,
  wallet: Address,
  { mint, amount }: { readonly mint: Address; readonly amount: bigint },
): Promise<void> {
  const rpc = createSolanaRpc(rpcUrl);
  // SOL first, because another cluster refuses that call before the token is looked up.
  await callCheatCode(rpcUrl, 'surfnet_setAccount', [wallet, { lamports: LAMPORTS }]);
  const { value } = await rpc.getAccountInfo(mint, { encoding: 'base64' }).send();
  const tokens = [wallet, mint, { amount: String(amount) }, value?.owner ?? null];
  await callCheatCode(rpcUrl, 'surfnet_setTokenAccount', tokens);
  const { absoluteSlot: slot } = await rpc.getEpochInfo({ commitment: 'processed' }).send();
  const deadline = performance.now() + SEEN_WITHIN_MS;
  while ((await rpc.getSlot({ commitment: 'confirmed' }).send()) < slot) {
    if (performance.now() > deadline) throw new Error('the network confirms no blocks');
    await wait(POLL_INTERVAL_MS);
  }
}
