import type { DeliveryPageQuery } from '../../../generated/graphql.ts';
import { Card } from '../../../shared/components/card.tsx';
import { delivery as text } from '../../../shared/text/webhooks.ts';
import { Time } from '../../../shared/time/time.tsx';

export type DeliveryDetail = NonNullable<DeliveryPageQuery['webhookDelivery']>;
export type DeliveryAttempt = DeliveryDetail['attempts'][number];

interface AttemptsProps {
  readonly attempts: readonly DeliveryAttempt[];
  /** Number of the attempt whose response is shown. */
  readonly shown: number | undefined;
  readonly onShow: (attempt: number) => void;
}

/** The attempts on a timeline, first to last. A click shows the response of one. */
export function Attempts({ attempts, shown, onShow }: AttemptsProps) {
  return (
    <Card title={text.attempts} description={attempts.length > 1 ? text.attemptsHint : undefined}>
      {attempts.length === 0 ? (
        <p className="text-soft">{text.noAttempt}</p>
      ) : (
        <ol className="relative ml-1 border-l border-line">
          {attempts.map((attempt) => (
            <li key={attempt.number} className="relative pl-3">
              <span
                aria-hidden="true"
                className={`absolute top-3 -left-[5px] size-[9px] rounded-full ${dotOf(attempt)}`}
              />
              <button
                type="button"
                aria-pressed={attempt.number === shown}
                onClick={() => onShow(attempt.number)}
                className="flex w-full flex-wrap items-baseline gap-x-3 gap-y-0.5 rounded-md px-2 py-1.5 text-left hover:bg-sunken aria-pressed:bg-accent-ground"
              >
                <span className="font-medium">{text.attempt(attempt.number)}</span>
                <span className="ml-auto text-xs text-soft">
                  <Time at={attempt.startedAt} />
                </span>
                <span className="basis-full text-soft first-letter:uppercase">{outcomeOf(attempt)}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

/** An attempt without a duration that has an error was interrupted. */
export function isRunning({ error, durationMs }: DeliveryAttempt): boolean {
  return durationMs === null && !error;
}

function dotOf({ error, durationMs }: DeliveryAttempt): string {
  if (error) return 'bg-bad';
  return durationMs === null ? 'bg-accent' : 'bg-good';
}

function outcomeOf({ statusCode, error, durationMs }: DeliveryAttempt): string {
  if (durationMs === null) return error ?? text.running;
  return [statusCode === null ? error : text.status(statusCode), text.took(durationMs)]
    .filter(Boolean)
    .join(' · ');
}
