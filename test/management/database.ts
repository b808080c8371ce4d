/** A database with a merchant and no running roles, for tests that only read rows. */

import { seedScope } from '../../tools/world/rows.ts';
import { takeDatabase } from '../support/shared-database.ts';

export async function startBareWorld(options: Parameters<typeof takeDatabase>[0] = {}) {
  const { db, giveBack } = await takeDatabase(options);
  return { db, newScope: () => seedScope(db), close: giveBack };
}
