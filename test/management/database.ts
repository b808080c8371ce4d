/** A database with a merchant and no running roles, for tests that only read rows. */
import { inject } from 'vitest';
import { connectDb } from '../../src/db/db.ts';
import type { Scope } from '../../src/domain/access/scope.ts';
import { cloneDatabase } from '../support/postgres.ts';

export async function startDatabase() {
  const database = await cloneDatabase(inject('templateDatabaseUrl'));
  const db = connectDb(database.url);
  let merchants = 0;
  return {
    db,
    async newScope(): Promise<Scope> {
      const merchant = { companyName: 'Acme', walletAddress: `merchant-${++merchants}` };
      return { merchantId: (await db.merchant.create({ data: merchant })).id, environment: 'TEST' };
    },
    close: async () => {
      await db.$disconnect();
      await database.drop();
    },
  };
}
