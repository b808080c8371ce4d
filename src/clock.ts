/** What time it is for billing. Wall time nowhere else. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
