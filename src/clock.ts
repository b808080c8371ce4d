/** What time it is for billing. Wall time nowhere else. */
export interface Clock {
  now(): Date;
  /** Where it asks somebody else for the time: asks now instead of at the next tick. */
  sync?(): Promise<void>;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that must be stopped, because it asks somebody else for the time. */
export interface FollowingClock extends Clock {
  /** Asks now instead of at the next tick: after this the clock knows of a jump that came before. */
  sync(): Promise<void>;
  close(): void;
}

/** How far the time may run ahead of what was last heard, should nothing more be heard. */
const MAX_AHEAD_MS = 5_000;

/**
 * A clock that goes by another one, which may jump: asks it every `everyMs` and runs by the machine's timer in between.
 * Never goes back. For a cluster whose time is moved.
 */
export async function followClock(
  ask: () => Promise<bigint>,
  { everyMs, onError }: { everyMs: number; onError: (error: unknown) => void },
): Promise<FollowingClock> {
  let heardMs = 0;
  let heardAt = performance.now();
  let latest = 0;
  const sync = async () => {
    const toldMs = Number(await ask()) * 1000;
    // It tells whole seconds: within the same one, what has passed since it was first heard still counts.
    if (toldMs === heardMs) return;
    heardMs = toldMs;
    heardAt = performance.now();
  };
  await sync();
  const timer = setInterval(() => sync().catch(onError), everyMs);
  return {
    now: () => {
      const ahead = Math.min(performance.now() - heardAt, MAX_AHEAD_MS);
      latest = Math.max(latest, heardMs + ahead);
      return new Date(latest);
    },
    sync,
    close: () => clearInterval(timer),
  };
}
