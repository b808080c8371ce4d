import type { AppContext } from '../../../app.ts';

/** Allows a wallet to create a merchant while sign-up is by invitation of the operator. */
export async function inviteWallet(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  walletAddress: string,
): Promise<void> {
  await db.invitation.createMany({
    data: [{ walletAddress, createdAt: clock.now() }],
    skipDuplicates: true,
  });
}

/** Withdraws an invitation. A merchant that was created with it stays. */
export async function withdrawInvitation(
  { db }: Pick<AppContext, 'db'>,
  walletAddress: string,
): Promise<void> {
  await db.invitation.deleteMany({ where: { walletAddress } });
}

/** Whether the operator has invited the wallet. */
export async function isInvited({ db }: Pick<AppContext, 'db'>, walletAddress: string): Promise<boolean> {
  return (await db.invitation.count({ where: { walletAddress } })) > 0;
}
