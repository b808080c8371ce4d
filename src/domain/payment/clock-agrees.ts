import type { AppContext } from '../../app.ts';
import type { Chain } from '../../chain/chain.ts';
import { readChainTime } from '../../chain/read-accounts.ts';
import type { Clock } from '../../clock.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { unixSeconds } from './billable.ts';
import { ClockAlarm } from './clock-alarm.ts';

/** The shortest period; clusters in trouble have been half an hour behind. */
const MOST_APART_SECONDS = 3_600;

type ClockContext = Pick<AppContext, 'clock' | 'log'>;

/** What was told of a clock: one process has one. */
const alarms = new WeakMap<Clock, Map<Environment, ClockAlarm>>();

/** How far our clock is ahead of the cluster's, in seconds; negative where it is behind. */
export async function clockAhead({ clock }: Pick<AppContext, 'clock'>, chain: Chain): Promise<number> {
  const chainTime = await readChainTime(chain);
  return Number(unixSeconds(clock.now()) - chainTime);
}

/**
 * The same, and tells somebody where they are far apart. A clock that goes by a cluster's is asked to catch up first: it may
 * only not have heard yet that that one's was moved.
 */
export async function compareClocks(ctx: ClockContext, chain: Chain): Promise<number> {
  const { environment } = chain;
  let aheadSeconds = await clockAhead(ctx, chain);
  if (isFar(aheadSeconds) && ctx.clock.sync) {
    await ctx.clock.sync();
    aheadSeconds = await clockAhead(ctx, chain);
  }
  const alarm = alarmOf(ctx.clock, environment);
  if (isFar(aheadSeconds)) alarm.apart(ctx.log, { environment, aheadSeconds });
  else alarm.agree(ctx.log, { environment });
  return aheadSeconds;
}

/**
 * Whether our clock and the cluster's tell about the same time. Where they do not, one of them has jumped, and what is decided
 * by it cannot be taken back: periods would be written off, payments and tries put off for years. So nothing is decided until
 * they agree again, and somebody is told.
 */
export async function clockAgrees(ctx: ClockContext, chain: Chain): Promise<boolean> {
  return !isFar(await compareClocks(ctx, chain));
}

/** Nothing is wrong with what was asked for: it can be done once the clocks agree. */
export class ClocksApart extends Error {
  override name = 'ClocksApart';
}

/**
 * Before a date is written down that our clock decides.
 *
 * @throws ClocksApart; what the reading of the cluster's time rejects with
 */
export async function assertClockAgrees(ctx: ClockContext, chain: Chain): Promise<void> {
  if (await clockAgrees(ctx, chain)) return;
  throw new ClocksApart(
    `Our clock and that of the ${chain.environment} cluster are far apart: to be tried again`,
  );
}

const isFar = (aheadSeconds: number) => Math.abs(aheadSeconds) > MOST_APART_SECONDS;

function alarmOf(clock: Clock, environment: Environment): ClockAlarm {
  const ofClock = alarms.get(clock) ?? new Map<Environment, ClockAlarm>();
  alarms.set(clock, ofClock);
  const alarm = ofClock.get(environment) ?? new ClockAlarm();
  ofClock.set(environment, alarm);
  return alarm;
}
