import type { AppContext } from '../../app.ts';
import type { Environment } from '../../generated/prisma/client.ts';

/** Longer than detecting a silent stream and reopening it takes. */
const SILENT_SECONDS = 60;
/** Some minutes, the duration of a snapshot of a large program. */
const DOUBT_SECONDS = 300;
const BEHIND_SLOTS = 600n;

/**
 * How well the mirror of an environment follows its chain, as last stored by the leading indexer.
 */
export interface MirrorHealth {
  /** Everything up to this slot is applied or set aside; null if no indexer has ever run. */
  readonly slot: bigint | null;
  /** The newest known slot, see known-slot.ts; null if no indexer has ever run. */
  readonly knownSlot: bigint | null;
  /** Slots between `slot` and the newest block seen. */
  readonly slotsBehind: bigint | null;
  /** Seconds since the last block was seen; null if none ever was. */
  readonly silentSeconds: number | null;
  /** What may have been missed and is being checked; null if nothing. */
  readonly doubt: string | null;
  readonly doubtSeconds: number;
}

/** Reads it from any process. */
export async function mirrorHealth(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
): Promise<MirrorHealth> {
  // The database's clock wrote these times, so it computes their age.
  const [row] = await db.$queryRaw<MirrorHealth[]>`
    SELECT "slot", greatest("slot", "headSlot") AS "knownSlot", greatest("headSlot" - "slot", 0) AS "slotsBehind", "doubt",
      extract(epoch FROM now() - "heardAt")::float8 AS "silentSeconds",
      coalesce(extract(epoch FROM now() - "doubtSince"), 0)::float8 AS "doubtSeconds"
    FROM "StreamPosition" WHERE "environment" = ${environment}::"Environment"`;
  const never = {
    slot: null,
    knownSlot: null,
    slotsBehind: null,
    silentSeconds: null,
    doubt: null,
    doubtSeconds: 0,
  };
  return { ...never, ...row };
}

/** The state of a mirror as one word. */
export type MirrorState = 'FOLLOWING' | 'BEHIND' | 'CHECKING' | 'SILENT' | 'NEVER';

/** A reconnect or a short gap still is FOLLOWING. */
export function mirrorState(health: MirrorHealth): MirrorState {
  const { slot, slotsBehind, silentSeconds, doubt, doubtSeconds } = health;
  if (slot === null || silentSeconds === null) return 'NEVER';
  if (silentSeconds > SILENT_SECONDS) return 'SILENT';
  if (doubt !== null && doubtSeconds > DOUBT_SECONDS) return 'CHECKING';
  return (slotsBehind ?? 0n) > BEHIND_SLOTS ? 'BEHIND' : 'FOLLOWING';
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
