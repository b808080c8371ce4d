// Ranges of payments that are not charged, by their numbers: see `periodIndexOf`.

import { dateOf } from '../../../chain/chain-time.ts';
import type { Waiver, WaiverKind } from '../../../generated/prisma/client.ts';
import { paymentPeriod, type Schedule } from './period.ts';

/** The payments from `fromIndex` up to, but not including, `untilIndex`; null: until it is ended. */
export type WaivedRange = Pick<Waiver, 'fromIndex' | 'untilIndex'>;

/** The waiver of payment `index`, if there is one. Waivers do not overlap. */
export function waiverOf<W extends WaivedRange>(waivers: readonly W[], index: bigint): W | undefined {
  return waivers.find(
    ({ fromIndex, untilIndex }) => index >= fromIndex && (untilIndex === null || index < untilIndex),
  );
}

/** The number of the first payment from `index` on that is charged; null if all are waived. */
export function firstCharged(waivers: readonly WaivedRange[], index: bigint): bigint | null {
  const waiver = waiverOf(waivers, index);
  if (!waiver) return index;
  return waiver.untilIndex === null ? null : firstCharged(waivers, BigInt(waiver.untilIndex));
}

/**
 * The ranges of the next `count` payments from `index` on that are charged. Null: of all payments. They
 * lie before, between and after the ranges of `waivers`.
 */
export function nextCharged(
  waivers: readonly WaivedRange[],
  index: bigint,
  count: number | null,
): readonly WaivedRange[] {
  const start = firstCharged(waivers, index);
  if (start === null || count === 0) return [];
  const fromIndex = Number(start);
  const later = waivers.map((waiver) => waiver.fromIndex).filter((from) => from > fromIndex);
  const untilNext = later.length > 0 ? Math.min(...later) : null;
  const whole = count === null ? null : fromIndex + count;
  if (untilNext === null || (whole !== null && whole <= untilNext)) return [{ fromIndex, untilIndex: whole }];
  const left = count === null ? null : count - (untilNext - fromIndex);
  return [{ fromIndex, untilIndex: untilNext }, ...nextCharged(waivers, BigInt(untilNext), left)];
}

/** The dates of `Subscription` that follow from its waivers. */
export interface WaivedTimes {
  readonly pausedFrom: Date | null;
  readonly pausedUntil: Date | null;
  readonly pauseKeepsAccess: boolean;
  readonly waivedFrom: Date | null;
  readonly waivedUntil: Date | null;
}

type KnownWaiver = WaivedRange & { readonly kind: WaiverKind; readonly keepsAccess: boolean };

/** The first time without a gap that the waivers make, and the first pause without a gap. */
export function waivedTimes(schedule: Schedule, waivers: readonly KnownWaiver[]): WaivedTimes {
  const pauses = waivers.filter(({ kind }) => kind === 'PAUSE');
  const keepsAccess = firstOf(pauses)?.keepsAccess ?? true;
  const paused = firstRun(pauses.filter((pause) => pause.keepsAccess === keepsAccess));
  const waived = firstRun(waivers);
  const at = (index: number | null | undefined) =>
    index === null || index === undefined ? null : dateOf(paymentPeriod(schedule, BigInt(index)).dueAt);
  return {
    pausedFrom: at(paused?.fromIndex),
    pausedUntil: at(paused?.untilIndex),
    pauseKeepsAccess: keepsAccess,
    waivedFrom: at(waived?.fromIndex),
    waivedUntil: at(waived?.untilIndex),
  };
}

function firstOf<W extends WaivedRange>(waivers: readonly W[]): W | undefined {
  return waivers.toSorted((a, b) => a.fromIndex - b.fromIndex)[0];
}

function firstRun(waivers: readonly WaivedRange[]): WaivedRange | undefined {
  const first = firstOf(waivers);
  if (!first) return undefined;
  const end = firstCharged(waivers, BigInt(first.fromIndex));
  return { fromIndex: first.fromIndex, untilIndex: end === null ? null : Number(end) };
}
