import { useEffect, useReducer } from 'react';
import { useBillingNow } from './billing-now.ts';
import { formatRelative } from './duration.ts';
import { useFormatTime } from './time-zone.tsx';

interface TimeProps {
  /** ISO 8601. */
  readonly at: string;
}

/** A date and time in the chosen zone. */
export function Time({ at }: TimeProps) {
  const format = useFormatTime();
  return (
    <time dateTime={at} title={at} className="whitespace-nowrap">
      {format(at)}
    </time>
  );
}

/** A date in the chosen zone. */
export function DateOnly({ at }: TimeProps) {
  const format = useFormatTime();
  return (
    <time dateTime={at} title={at} className="whitespace-nowrap">
      {format(at, { dateStyle: 'medium' })}
    </time>
  );
}

const MINUTE_MS = 60_000;

interface RelativeTimeProps extends TimeProps {
  /** The clock that the time is of; default that of billing, which differs if a test advanced it. */
  readonly clock?: 'billing' | 'machine';
}

/** A time relative to now, kept up to date: `3 minutes ago`. */
export function RelativeTime({ at, clock = 'billing' }: RelativeTimeProps) {
  const format = useFormatTime();
  const billingNow = useBillingNow();
  const now = clock === 'billing' ? billingNow : new Date();
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  const isNear = Math.abs(new Date(at).getTime() - now.getTime()) < 2 * MINUTE_MS;
  useEffect(() => {
    const timer = setInterval(rerender, isNear ? 5_000 : MINUTE_MS / 2);
    return () => clearInterval(timer);
  }, [isNear]);
  return (
    <time dateTime={at} title={format(at)} className="whitespace-nowrap">
      {formatRelative(new Date(at), now)}
    </time>
  );
}
