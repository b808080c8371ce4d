import type { DbTransaction } from '../../../db/db.ts';
import type { Environment } from '../../../generated/prisma/client.ts';

/** Longer than it takes to detect a silent stream and to reopen it. */
const MAX_SILENT_SECONDS = 60;
/** The duration of a snapshot of a large program. */
const MAX_DOUBT_SECONDS = 300;
const MAX_SLOTS_BEHIND = 600n;

/**
 * How well the mirror of an environment follows its chain, as last stored by the leading indexer.
 */
export interface MirrorHealth {
  /** All updates up to this slot are applied or set aside; null if no indexer has ever run. */
  readonly slot: bigint | null;
  /** The newest known slot, see known-slot.ts; null if no indexer has ever run. */
  readonly knownSlot: bigint | null;
  /** Slots between `slot` and the newest block seen; null if no indexer has ever run. */
  readonly slotsBehind: bigint | null;
  /** Seconds since the last block was seen; null if no block was ever seen. */
  readonly silentSeconds: number | null;
  /** What may have been missed and is being checked; null if nothing. */
  readonly doubt: string | null;
  readonly doubtSeconds: number;
}

/** Reads the health of a mirror. Any process may call it. */
export async function mirrorHealth(
  { db }: { readonly db: Pick<DbTransaction, '$queryRaw'> },
  environment: Environment,
): Promise<MirrorHealth> {
  // These times were written by the database's clock, so the same clock computes their age.
  const [row] = await db.$queryRaw<MirrorHealth[]>`
    SELECT "slot", greatest("slot", "headSlot") AS "knownSlot", greatest("headSlot" - "slot", 0) AS "slotsBehind", "doubt",
      extract(epoch FROM now() - "heardAt")::float8 AS "silentSeconds",
      coalesce(extract(epoch FROM now() - "doubtSince"), 0)::float8 AS "doubtSeconds"
    FROM "StreamPosition" WHERE "environment" = ${environment}::"Environment"`;
  const withoutIndexer = {
    slot: null,
    knownSlot: null,
    slotsBehind: null,
    silentSeconds: null,
    doubt: null,
    doubtSeconds: 0,
  };
  return { ...withoutIndexer, ...row };
}

/** The state of a mirror as one word. */
export type MirrorState = 'FOLLOWING' | 'BEHIND' | 'CHECKING' | 'SILENT' | 'NEVER';

/** Classifies the health. A reconnect or a short gap still counts as FOLLOWING. */
export function mirrorState(health: MirrorHealth): MirrorState {
  const { slot, slotsBehind, silentSeconds, doubt, doubtSeconds } = health;
  if (slot === null || silentSeconds === null) return 'NEVER';
  if (silentSeconds > MAX_SILENT_SECONDS) return 'SILENT';
  if (doubt !== null && doubtSeconds > MAX_DOUBT_SECONDS) return 'CHECKING';
  return (slotsBehind ?? 0n) > MAX_SLOTS_BEHIND ? 'BEHIND' : 'FOLLOWING';
}

/** Why the mirror cannot be relied on, as text; undefined if it can. */
export function mirrorProblemOf(health: MirrorHealth): string | undefined {
  const { slotsBehind, silentSeconds, doubt } = health;
  switch (mirrorState(health)) {
    case 'NEVER':
      return 'no indexer has followed the chain yet';
    case 'SILENT':
      return `the indexer has seen no block for ${Math.round(silentSeconds ?? 0)} s`;
    case 'CHECKING':
      return doubt ?? undefined;
    case 'BEHIND':
      return `the indexer is ${slotsBehind} slots behind`;
    default:
      return undefined;
  }
}
