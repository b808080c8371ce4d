import type { AppContext } from '../../../app.ts';
import type { CheckoutSession } from '../../../generated/prisma/client.ts';

/** Maximum wallets of a session that are kept besides the last one. */
const MAX_EARLIER_WALLETS = 7;

/**
 * Stores the wallet that requested a session's transactions, so that the session can be completed
 * without its app. A customer may try several wallets and sign with any of them, so the last
 * eight are kept. Returns false if the session is no longer open.
 */
export async function rememberWallet(
  { db }: Pick<AppContext, 'db'>,
  sessionId: string,
  wallet: string,
): Promise<boolean> {
  const count = await db.$executeRaw`
    UPDATE "CheckoutSession" SET "walletAddress" = ${wallet},
      "earlierWallets" = CASE WHEN "walletAddress" IS NULL OR "walletAddress" = ${wallet} THEN "earlierWallets"
        ELSE ("walletAddress" || array_remove("earlierWallets", ${wallet}))[1:${MAX_EARLIER_WALLETS}::int] END
    WHERE "id" = ${sessionId} AND "status" = 'OPEN'`;
  return count > 0;
}

/** Whether the wallet requested transactions of the session. */
export function hasRequested(
  { walletAddress, earlierWallets }: Pick<CheckoutSession, 'walletAddress' | 'earlierWallets'>,
  wallet: string,
): boolean {
  return walletAddress === wallet || earlierWallets.includes(wallet);
}
