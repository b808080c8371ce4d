/**
 * Nothing about payments and checkouts of a cluster is decided while our clock and the cluster's
 * are further apart: one hour, the shortest period of a plan. Congested clusters have been half an
 * hour behind. Webhooks have a limit of their own (`clock-watch.ts`).
 */
export const MAX_CLOCK_DIFFERENCE_SECONDS = 3_600;

/** A source of the time: of billing (`ctx.clock`), or of people and machines (`ctx.wallClock`). */
export interface Clock {
  now(): Date;
  /** Reads the time at once instead of at the next tick, if the clock follows another clock. */
  sync?(): Promise<void>;
  /**
   * Calls the listener after a jump ahead. Returns a function that stops it. Missing if the clock
   * cannot jump.
   */
  onJump?(listener: () => void): () => void;
  /** How often it has jumped ahead. Delays that were computed before the last jump are too long. */
  readonly jumps?: number;
  /** Whether this is the machine's clock, from which the clocks of other machines may differ. */
  readonly isOfMachine?: boolean;
}

export const systemClock: Clock = { now: () => new Date(), isOfMachine: true };

/** A clock that follows another clock, and must be closed. */
export interface FollowingClock extends Clock {
  /**
   * Reads the time at once instead of at the next tick, so that the clock includes earlier jumps.
   */
  sync(): Promise<void>;
  close(): void;
}

/** A change of the time counts as a jump if it exceeds the passed time by more than this. */
const JUMP_MS = 2_000;
/** Maximum time that the clock runs ahead of the last value read. */
const MAX_AHEAD_MS = 5_000;

/**
 * Creates a clock that follows another clock, which may jump. It reads that clock every `everyMs`
 * and uses the machine's timer in between. It never goes back. It is for a cluster whose time can
 * be moved.
 */
export async function followClock(
  read: () => Promise<bigint>,
  { everyMs, onError }: { everyMs: number; onError: (error: unknown) => void },
): Promise<FollowingClock> {
  let readMs = 0;
  let readAt = performance.now();
  let latest = 0;
  let jumps = 0;
  const listeners = new Set<() => void>();
  const sync = async () => {
    const newMs = Number(await read()) * 1000;
    // The value has whole seconds. Within the same second, the time since its first read is added.
    if (newMs === readMs) return;
    const expectedMs = readMs + performance.now() - readAt;
    readMs = newMs;
    readAt = performance.now();
    if (newMs - expectedMs <= JUMP_MS) return;
    jumps++;
    for (const listener of listeners) listener();
  };
  await sync();
  const timer = setInterval(() => sync().catch(onError), everyMs);
  return {
    now: () => {
      const ahead = Math.min(performance.now() - readAt, MAX_AHEAD_MS);
      latest = Math.max(latest, readMs + ahead);
      return new Date(latest);
    },
    sync,
    get jumps() {
      return jumps;
    },
    onJump: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => clearInterval(timer),
  };
}
