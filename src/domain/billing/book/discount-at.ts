import type { WaiverKind } from '../../../generated/prisma/client.ts';
import { nextCharged, type WaivedRange, waiverOf } from '../schedule/waivers.ts';
import type { BookedDiscount, BookedSubscription } from './book.ts';

type KnownWaiver = WaivedRange & { readonly kind: WaiverKind };
type Range = Pick<BookedDiscount, 'from' | 'until'>;

const pausesOf = (waivers: readonly KnownWaiver[]) => waivers.filter(({ kind }) => kind === 'PAUSE');
/** A pause without an end is counted when it ends. */
const withEnd = (waivers: readonly KnownWaiver[]) =>
  pausesOf(waivers).filter(({ untilIndex }) => untilIndex !== null);
const withoutEnd = (waivers: readonly KnownWaiver[]) =>
  pausesOf(waivers).find(({ untilIndex }) => untilIndex === null);

/** The discount of a subscription's payment `index`; null if it has none. */
export function discountAt(
  { discount, waivers }: Pick<BookedSubscription, 'discount' | 'waivers'>,
  index: bigint,
): BookedDiscount | null {
  if (!discount || index < discount.from) return null;
  if (discount.until === null || index < discount.until) return discount;
  const pause = withoutEnd(waivers);
  return pause && pause.fromIndex < discount.until && index >= pause.fromIndex ? discount : null;
}

/** Number of payments from `index` on that a discount reduces, without those in pauses; null if it never ends. */
export function periodsLeft(
  { from, until }: Range,
  waivers: readonly KnownWaiver[],
  index: bigint,
): number | null {
  if (until === null) return null;
  const pauses = withEnd(waivers);
  const pausedAt = withoutEnd(waivers)?.fromIndex ?? until;
  let left = 0;
  for (let each = Math.max(from, Math.min(Number(index), pausedAt)); each < until; each++) {
    if (!waiverOf(pauses, BigInt(each))) left += 1;
  }
  return left;
}

/** The end of a discount of so many payments: a payment in a pause does not use it up. */
export function discountEnd(waivers: readonly KnownWaiver[], from: number, periods: number): number {
  return nextCharged(withEnd(waivers), BigInt(from), periods).at(-1)?.untilIndex ?? from;
}

/**
 * The end of a discount after its pauses were changed. As many payments are reduced as before.
 *
 * @param before the waivers that had not ended
 * @param after the same waivers, also those that end with the change, and new ones
 */
export function movedEnd(
  discount: Range,
  before: readonly KnownWaiver[],
  after: readonly KnownWaiver[],
): number | null {
  const { from, until } = discount;
  const starts = pausesOf([...before, ...after]).map(({ fromIndex }) => fromIndex);
  const start = Math.max(from, Math.min(...starts));
  if (until === null || start >= until) return until;
  return discountEnd(after, start, periodsLeft(discount, before, BigInt(start)) ?? 0);
}
