import type { Chain } from '../../chain/chain.ts';
import { FEE_LAMPORTS, RESERVE_LAMPORTS } from '../collector/needs.ts';
import type { PayablePayment } from './collect-claimed.ts';

/** Rent of a token account, before rents were lowered. */
const TOKEN_ACCOUNT_LAMPORTS = 2_039_280n;
/** What a pull takes, a good deal above what was measured. */
const COMPUTE_UNITS_A_PULL = 15_000n;
const MICRO_LAMPORTS = 1_000_000n;

/** A cluster drops what its payer cannot pay for without a word: nobody would ever learn why nothing is collected. */
export async function assertCollectorCanPay(
  { rpc, collector }: Chain,
  packs: readonly (readonly PayablePayment[])[],
  price: bigint,
): Promise<void> {
  const pulls = packs.flat();
  const missing = new Set(
    pulls.flatMap(({ pull }) => (pull.receiverIsMissing ? [pull.receiverTokenAccount] : [])),
  );
  const needed =
    RESERVE_LAMPORTS +
    FEE_LAMPORTS * BigInt(packs.length) +
    (price * COMPUTE_UNITS_A_PULL * BigInt(pulls.length)) / MICRO_LAMPORTS +
    TOKEN_ACCOUNT_LAMPORTS * BigInt(missing.size);
  const { value: lamports } = await rpc.getBalance(collector.address, { commitment: 'confirmed' }).send();
  if (lamports >= needed) return;
  throw new Error(
    `The collector ${collector.address} cannot pay the fees: it has ${lamports} lamports and needs ${needed}`,
  );
}
