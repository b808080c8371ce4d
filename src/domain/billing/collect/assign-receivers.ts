import { randomInt } from 'node:crypto';
import type { Address } from '@solana/kit';
import type { PayablePayment } from './prepare-payments.ts';

type Received = Pick<PayablePayment, 'pull' | 'receivingAccounts'>;

/**
 * Assigns each transaction one of the accounts of each merchant and token that it pays, in turn. So a
 * transaction never writes two accounts of one merchant for the same token, it has as many pulls as
 * with one account, and the accounts get equal numbers of transactions.
 *
 * @param beginsAt the index of the account that begins, of so many. At random, so that several workers,
 *   and batches of one transaction, do not all begin with the same one.
 */
export function assignReceivers<T extends Received>(
  packs: readonly (readonly T[])[],
  beginsAt: (accounts: number) => number = (accounts) => randomInt(accounts),
): T[][] {
  const turns = new Map<string, number>();
  return packs.map((payments) => {
    const chosen = new Map<string, Address>();
    return payments.map((payment) => {
      const { pull, receivingAccounts } = payment;
      // An account that does not exist is the only one, and is created.
      if (receivingAccounts.length < 2) return payment;
      const key = `${pull.receiver} ${pull.mint}`;
      let account = chosen.get(key);
      if (account === undefined) {
        const turn = turns.get(key) ?? beginsAt(receivingAccounts.length);
        account = receivingAccounts[turn % receivingAccounts.length] ?? pull.receiverTokenAccount;
        turns.set(key, turn + 1);
        chosen.set(key, account);
      }
      return { ...payment, pull: { ...pull, receiverTokenAccount: account } };
    });
  });
}
