/** A database with a merchant and no running roles, for tests that only read rows. */
import type { Scope } from '../../src/domain/access/scope.ts';
import { takeDatabase } from '../support/shared-database.ts';

export async function startDatabase() {
  const { db, giveBack } = await takeDatabase();
  let merchants = 0;
  return {
    db,
    async newScope(): Promise<Scope> {
      const merchant = { companyName: 'Acme', walletAddress: `merchant-${++merchants}` };
      return { merchantId: (await db.merchant.create({ data: merchant })).id, environment: 'TEST' };
    },
    close: giveBack,
  };
}
