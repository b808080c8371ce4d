import type { AppContext } from '../../app.ts';
import type { Environment } from '../../generated/prisma/client.ts';

/** Longer than it takes a stream that fell silent to be noticed and opened again. */
const SILENT_SECONDS = 60;
/** Some minutes: a snapshot of a large program takes so long. */
const DOUBT_SECONDS = 300;
const BEHIND_SLOTS = 600n;

/** How well one environment's mirror follows its chain, as the indexer that leads last wrote it down. */
export interface MirrorHealth {
  /** Everything up to here is applied or set aside; null where no indexer ever was. */
  readonly slot: bigint | null;
  /** From there to the newest block that was heard of. */
  readonly slotsBehind: bigint | null;
  /** Since a block was heard of; null where none ever was. */
  readonly silentSeconds: number | null;
  /** What may have been missed and is being looked for; null where nothing is in doubt. */
  readonly doubt: string | null;
  readonly doubtSeconds: number;
  /** Updates that could not be applied and wait for somebody to look at them. */
  readonly setAside: number;
}

/** Reads it from any process. */
export async function mirrorHealth(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
): Promise<MirrorHealth> {
  // The database's clock wrote these times, so it says how long ago they are.
  const [row] = await db.$queryRaw<Omit<MirrorHealth, 'setAside'>[]>`
    SELECT "slot", greatest("headSlot" - "slot", 0) AS "slotsBehind", "doubt",
      extract(epoch FROM now() - "heardAt")::float8 AS "silentSeconds",
      coalesce(extract(epoch FROM now() - "doubtSince"), 0)::float8 AS "doubtSeconds"
    FROM "StreamPosition" WHERE "environment" = ${environment}::"Environment"`;
  const setAside = await db.unappliedUpdate.count({ where: { environment, resolvedAt: null } });
  const never = { slot: null, slotsBehind: null, silentSeconds: null, doubt: null, doubtSeconds: 0 };
  return { ...never, ...row, setAside };
}

/** Why the mirror cannot be gone by, in words; undefined where it can. A reconnect or a short gap is nothing to stop for. */
export function whyUnsound(health: MirrorHealth): string | undefined {
  const { slot, slotsBehind, silentSeconds, doubt, doubtSeconds } = health;
  if (slot === null || silentSeconds === null) return 'no indexer has followed the chain yet';
  if (silentSeconds > SILENT_SECONDS)
    return `the indexer has heard of no block for ${Math.round(silentSeconds)} s`;
  if (doubt !== null && doubtSeconds > DOUBT_SECONDS) return doubt;
  if ((slotsBehind ?? 0n) > BEHIND_SLOTS) return `the indexer is ${slotsBehind} slots behind`;
  return undefined;
}
