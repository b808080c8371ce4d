/** Lengths of the shown forecasts in days from now. The API forecasts today and 30 days more. */
export const SPANS = [7, 30] as const;

const DAY_MS = 86_400_000;

/** The day that is some days from now. Days are in UTC, as in the API. */
export function dayIn(days: number, now: Date): string {
  return new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
}

/** The parts of a forecast for the next days. */
export function dueWithin<Part extends { readonly day: string }>(
  parts: readonly Part[],
  days: number,
  now: Date,
): Part[] {
  return parts.filter(({ day }) => day <= dayIn(days, now));
}
