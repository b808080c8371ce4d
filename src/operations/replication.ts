import type { AppContext } from '../app.ts';

interface Settings {
  readonly standbys: string;
  readonly commit: string;
  readonly messages: string;
}

type ReplicationContext = Pick<AppContext, 'db' | 'config'>;

/** Whether commits of the live environment are expected to wait for a standby. */
export function expectsStandby({ config }: Pick<AppContext, 'config'>): boolean {
  return config.clusters.LIVE !== undefined && config.databaseStandby === 'expected';
}

/**
 * The reason why a commit does not wait for a standby, as a sentence; undefined if it waits.
 *
 * https://www.postgresql.org/docs/current/warm-standby.html#SYNCHRONOUS-REPLICATION
 */
export async function whyUnreplicated({ db }: ReplicationContext): Promise<string | undefined> {
  const [settings] = await db.$queryRaw<Settings[]>`
    SELECT current_setting('synchronous_standby_names') AS "standbys",
      current_setting('synchronous_commit') AS "commit",
      current_setting('client_min_messages') AS "messages"`;
  if (!settings) return undefined;
  const { standbys, commit, messages } = settings;
  if (standbys === '') return 'synchronous_standby_names of PostgreSQL is empty';
  if (commit === 'off' || commit === 'local') return `synchronous_commit of our role is ${commit}`;
  // A cancelled wait is reported by a warning only.
  if (messages === 'error') return 'client_min_messages of our role is error';
  return undefined;
}

/** Logs a warning if live commits are on one machine only and the configuration does not accept it. */
export async function warnIfUnreplicated(ctx: ReplicationContext & Pick<AppContext, 'log'>): Promise<void> {
  if (!expectsStandby(ctx)) return;
  const reason = await whyUnreplicated(ctx);
  if (reason === undefined) return;
  ctx.log.warn(
    { reason },
    'live commits wait for no standby: if its machine is lost, so are the last ones. DATABASE_STANDBY=unchecked accepts it',
  );
}
