import type { SubscriptionAnswer } from '../../../src/api/portal/answers.ts';
import { Badge, type Tone } from '../../shared/components/badge.tsx';
import { Icon } from '../../shared/components/icon.tsx';
import { portal as text } from '../../shared/text/portal.ts';
import { CompanyMark } from '../shared/frame.tsx';
import { follow } from '../shared/use-path.ts';
import { describeLost, describeNext, isEnding } from './describe-status.ts';
import { priceOf } from './price.ts';

interface RowProps {
  readonly subscription: SubscriptionAnswer;
  readonly isNamed: boolean;
}

/** One subscription of a list, as a link to its page. */
export function SubscriptionRow({ subscription, isNamed }: RowProps) {
  const { id, plan, merchant } = subscription;
  const next = describeNext(subscription);
  return (
    <a
      href={`/portal/${id}`}
      onClick={follow}
      className="flex items-center gap-3 rounded-lg border border-line bg-surface p-4 text-ink no-underline shadow-low hover:border-edge"
    >
      {isNamed && (
        <CompanyMark company={isOwnLogo(merchant.logoUrl) ? merchant : { ...merchant, logoUrl: null }} />
      )}
      <span className="grid min-w-0 flex-1 gap-0.5">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-semibold">{plan.name}</span>
          <StatusBadges subscription={subscription} />
        </span>
        {isNamed && <span>{merchant.name}</span>}
        <span className="text-soft">{priceOf(subscription)}</span>
        {next && <span className={describeLost(subscription) ? 'text-warn' : 'text-soft'}>{next}</span>}
      </span>
      <Icon name="chevronRight" className="size-5 text-soft" />
    </a>
  );
}

/**
 * Whether dues serves the logo. The list has subscriptions of several merchants, and the server of an
 * external logo would learn of a visit that concerns another merchant.
 */
function isOwnLogo(logoUrl: string | null): boolean {
  return logoUrl !== null && new URL(logoUrl, location.href).origin === location.origin;
}

const TONES: Readonly<Record<SubscriptionAnswer['status'], Tone>> = {
  ACTIVE: 'good',
  PAST_DUE: 'warn',
  CANCELLED: 'neutral',
  EXPIRED: 'neutral',
};

/** The status, and a mark for a test. */
export function StatusBadges({ subscription }: Pick<RowProps, 'subscription'>) {
  const { status, environment } = subscription;
  return (
    <>
      {isEnding(subscription) ? (
        <Badge>{text.ending}</Badge>
      ) : (
        <Badge tone={TONES[status]}>{text.statuses[status]}</Badge>
      )}
      {environment === 'TEST' && <Badge tone="accent">{text.test}</Badge>}
    </>
  );
}
