import type { AppContext } from '../../../app.ts';
import { readRecentChainTime } from '../../../chain/accounts/read-accounts.ts';
import type { Chain } from '../../../chain/chain.ts';
import { unixSeconds } from '../../../chain/chain-time.ts';
import { NodeBehind } from '../../../chain/rpc/as-of.ts';
import { type Clock, MAX_CLOCK_DIFFERENCE_SECONDS } from '../../../clock.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { upToDate } from '../mirror/known-slot.ts';
import { ClockAlarm } from './clock-alarm.ts';

type ClockContext = Pick<AppContext, 'clock' | 'db' | 'log'>;

/** The alarms of each clock. A process has one clock. */
const alarms = new WeakMap<Clock, Map<Environment, ClockAlarm>>();

/**
 * The seconds by which our clock is ahead of the cluster's; negative if it is behind. The cluster's
 * time is read near the newest known slot: a node that stopped hours ago shows a time hours ago.
 *
 * @throws NodeBehind if only such nodes are available
 */
export async function clockAhead(ctx: Pick<AppContext, 'clock' | 'db'>, chain: Chain): Promise<number> {
  const { time, isNear } = await readRecentChainTime(await upToDate(ctx, chain));
  const aheadSeconds = secondsAhead(ctx.clock.now(), time);
  if (isFar(aheadSeconds) && !isNear) {
    throw new NodeBehind(`Every available RPC node is behind: its time is ${aheadSeconds} s before ours`);
  }
  return aheadSeconds;
}

/**
 * Returns the difference like `clockAhead`, and logs an error if it is large. A clock that follows
 * a cluster's is first synchronized, because the cluster's clock may have been moved.
 */
export async function compareClocks(ctx: ClockContext, chain: Chain): Promise<number> {
  const { environment } = chain;
  let aheadSeconds = await clockAhead(ctx, chain);
  if (isFar(aheadSeconds) && ctx.clock.sync) {
    await ctx.clock.sync();
    aheadSeconds = await clockAhead(ctx, chain);
  }
  const alarm = alarmOf(ctx.clock, environment);
  if (isFar(aheadSeconds)) alarm.raise(ctx.log, { environment, aheadSeconds });
  else alarm.clear(ctx.log, { environment });
  return aheadSeconds;
}

/**
 * Whether our clock and the cluster's are at most an hour apart. Otherwise one of them has jumped.
 * Decisions based on it could not be reversed: periods would be missed, and payments postponed for
 * years. Nothing is decided until they agree again, and an error is logged.
 */
export async function clockAgrees(ctx: ClockContext, chain: Chain): Promise<boolean> {
  return !isFar(await compareClocks(ctx, chain));
}

/** Whether this time of the cluster, in unix seconds, is more than an hour from ours. */
export function isFarFrom(now: Date, chainTime: bigint): boolean {
  return isFar(secondsAhead(now, chainTime));
}

/** Our clock and the cluster's are far apart. The request can be repeated when they agree. */
export class ClocksApart extends Error {
  override name = 'ClocksApart';
}

/**
 * Checks the clocks before a date that depends on our clock is written.
 *
 * @throws ClocksApart, and errors of reading the cluster's time
 */
export async function assertClockAgrees(ctx: ClockContext, chain: Chain): Promise<void> {
  if (await clockAgrees(ctx, chain)) return;
  throw new ClocksApart(
    `Our clock and that of the ${chain.environment} cluster are far apart: try again later`,
  );
}

const secondsAhead = (now: Date, chainTime: bigint) => Number(unixSeconds(now) - chainTime);
const isFar = (aheadSeconds: number) => Math.abs(aheadSeconds) > MAX_CLOCK_DIFFERENCE_SECONDS;

function alarmOf(clock: Clock, environment: Environment): ClockAlarm {
  const clockAlarms = alarms.get(clock) ?? new Map<Environment, ClockAlarm>();
  alarms.set(clock, clockAlarms);
  const alarm = clockAlarms.get(environment) ?? new ClockAlarm();
  clockAlarms.set(environment, alarm);
  return alarm;
}
