import type { AppContext } from '../../app.ts';
import { API_LIMITS, connectDb, type Db } from '../../db/db.ts';
import type { PerTrust } from './caller-trust.ts';

/**
 * Numbers of database connections that all strangers share, and all unverified callers. Proven
 * callers use the connections of the process.
 */
const STRANGERS_CONNECTIONS = 3;
const UNVERIFIED_CONNECTIONS = 2;

/**
 * The database clients for each trust level. They have separate connections, so that no merchant's
 * query waits for queries of anonymous callers. Connections are opened on demand and closed when
 * idle.
 */
export function connectCallerDatabases({ config, db }: Pick<AppContext, 'config' | 'db'>): PerTrust<Db> {
  const isPooled = config.directDatabaseUrl !== undefined;
  const connect = (connections: number) =>
    connectDb(config.databaseUrl, { ...API_LIMITS, connections, isPooled });
  return {
    proven: db,
    unverified: connect(UNVERIFIED_CONNECTIONS),
    stranger: connect(STRANGERS_CONNECTIONS),
  };
}
