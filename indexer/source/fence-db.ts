import type { Db } from '../../src/db/db.ts';

/**
 * The client, which calls `assertHeld` before each use. A leader that was frozen has running work,
 * and its timers fire before it can learn that its connection was closed. Nothing of that may reach
 * the database. A transaction that began before continues: its locks were held all the time, or
 * PostgreSQL has ended it.
 */
export function fenceDb(db: Db, assertHeld: () => void): Db {
  return new Proxy(db, {
    get(client, property) {
      assertHeld();
      const value: unknown = Reflect.get(client, property);
      return typeof value === 'function' ? value.bind(client) : value;
    },
  });
}
