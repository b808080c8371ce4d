import { durationText } from '../../../../src/domain/catalog/money/duration-text.ts';
import { useViewer } from '../../../shared/api/viewer.ts';
import { most } from '../../../shared/text/checkout.ts';
import { plan as text } from '../../../shared/text/plan.ts';
import { useBillingNow } from '../../../shared/time/billing-now.ts';
import { formatDuration, formatInterval } from '../../../shared/time/duration.ts';
import { DateOnly } from '../../../shared/time/time.tsx';

interface PreviewProps {
  readonly name: string;
  readonly description: string;
  /** Undefined while the typed price is invalid. */
  readonly price: string | undefined;
  /** Undefined while the typed limit or price is invalid. */
  readonly limit: string | undefined;
  readonly isAbovePrice: boolean;
  readonly intervalSeconds: number;
  readonly trialPeriodSeconds: number;
}

/** A preview of the plan's checkout page. */
export function Preview(props: PreviewProps) {
  const { name, description, price, limit, isAbovePrice, intervalSeconds, trialPeriodSeconds } = props;
  const { companyName, logoUrl } = useViewer().merchant;
  const interval = intervalSeconds > 0 ? formatInterval(intervalSeconds) : '';
  const now = useBillingNow();
  const nextPaymentAt = interval && timeAfter(now, trialPeriodSeconds || intervalSeconds);
  return (
    <aside aria-label={text.preview} className="lg:sticky lg:top-6">
      <p className="mb-2 text-xs font-medium text-soft">{text.preview}</p>
      <div className="rounded-lg border border-line bg-sunken p-4">
        <div className="rounded-lg border border-line bg-surface p-5 shadow-low">
          <p className="mb-4 flex items-center gap-3 font-semibold">
            {logoUrl ? (
              <img src={logoUrl} alt="" className="h-9 max-w-28 rounded-md object-contain" />
            ) : (
              <span
                aria-hidden="true"
                className="grid size-9 shrink-0 place-items-center rounded-md bg-accent text-on-accent"
              >
                {[...companyName][0]}
              </span>
            )}
            <span className="min-w-0">{companyName}</span>
          </p>
          <p className="text-soft">{name || text.previewName}</p>
          <p className="flex flex-wrap items-baseline gap-x-1.5 text-soft">
            <strong className="text-2xl font-semibold tracking-tight text-ink tabular-nums">
              {price ?? '–'}
            </strong>
            {interval}
            {nextPaymentAt && (
              <span>
                {text.previewNext} <DateOnly at={nextPaymentAt} />
              </span>
            )}
          </p>
          {trialPeriodSeconds > 0 && (
            <p className="mt-2 inline-block rounded-full bg-good-ground px-2.5 py-0.5 font-medium text-good">
              {text.previewTrial(formatDuration(trialPeriodSeconds))}
            </p>
          )}
          {description && <p className="mt-3 whitespace-pre-line text-soft">{description}</p>}
          <p
            aria-hidden="true"
            className="mt-4 rounded-md bg-accent py-2 text-center font-medium text-on-accent"
          >
            {text.subscribe}
          </p>
        </div>
        <div className="px-1 pt-4 text-soft">
          <p className="font-medium text-ink">{text.previewApprove}</p>
          <ul className="mt-1 grid list-disc gap-1 pl-4">
            <li>
              {most(
                companyName,
                limit ?? text.previewLimit,
                interval ? durationText(intervalSeconds) : text.previewInterval,
                isAbovePrice,
              )}
            </li>
            <li>{text.previewStays}</li>
            <li>{text.previewRevoke}</li>
          </ul>
        </div>
      </div>
    </aside>
  );
}

/** The time that is `seconds` later; undefined if a typed number is too large for a date. */
function timeAfter(now: Date, seconds: number): string | undefined {
  const at = new Date(now.getTime() + 1_000 * seconds);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
