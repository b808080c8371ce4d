import { type ReactNode, useId } from 'react';
import { Amount } from '../../../shared/money/amount.tsx';
import { failures } from '../../../shared/text/statuses.ts';
import { pauses, subscription as text, walletState } from '../../../shared/text/subscriptions.ts';
import { useBillingNow } from '../../../shared/time/billing-now.ts';
import { RelativeTime, Time } from '../../../shared/time/time.tsx';
import { openFailure } from './open-failure.ts';
import { ResumeButton } from './pause-dialogs.tsx';
import { RetryButton } from './retry-button.tsx';
import type { SubscriptionDetail } from './subscription-detail.ts';
import { UndoButton } from './undo-button.tsx';
import { useWalletState } from './wallet-state.ts';

const TONES = {
  good: 'border-line bg-surface',
  warn: 'border-transparent bg-warn-ground text-warn',
  bad: 'border-transparent bg-bad-ground text-bad',
} as const;

/** Describes the subscription's status: what happens next, or why nothing does. */
export function StatusBanner({ subscription }: { readonly subscription: SubscriptionDetail }) {
  const { lifeId, status, accessUntil, cancelAtPeriodEnd, cancellationRequest } = subscription;
  if (status === 'PAST_DUE') return <PastDue subscription={subscription} />;
  if (status === 'ACTIVE' && cancelAtPeriodEnd) {
    return (
      <Banner
        tone="warn"
        title={text.ending}
        action={cancellationRequest ? undefined : <UndoButton id={lifeId} />}
      >
        {accessUntil && <Time at={accessUntil} />}. {text.endingHint}
        {cancellationRequest && <Feedback {...cancellationRequest} />}
      </Banner>
    );
  }
  if (status === 'ACTIVE') return <Active subscription={subscription} />;
  if (status === 'EXPIRED') {
    return (
      <Banner tone="bad" title={text.expired}>
        {text.expiredHint}
      </Banner>
    );
  }
  return <Cancelled accessUntil={accessUntil} />;
}

function Active({ subscription }: { readonly subscription: SubscriptionDetail }) {
  const { lifeId, nextPaymentAt, nextAttemptAt, payments, plan, trialGranted } = subscription;
  const now = useBillingNow();
  // The plan spreads payments that are due together.
  const isWaiting =
    nextPaymentAt !== null &&
    new Date(nextPaymentAt) <= now &&
    nextAttemptAt !== null &&
    new Date(nextAttemptAt) > now;
  const isTrial = trialGranted && plan.trialPeriodSeconds > 0 && payments.totalCount === 0;
  const approval = useWalletState(lifeId).data?.subscription?.walletState?.approval ?? 'OK';
  const due = nextPaymentAt && <Time at={nextPaymentAt} />;
  if (subscription.pausedFrom) return <Paused subscription={subscription} />;
  if (approval !== 'OK') {
    return (
      <Banner tone="warn" title={text.willFail}>
        {due}. {text.approvalGone} {walletState.approvalHints[approval]}
      </Banner>
    );
  }
  return (
    <Banner
      tone="good"
      title={
        isWaiting ? (
          <>
            {text.waiting} <RelativeTime at={nextAttemptAt} />
          </>
        ) : (
          <>
            {isTrial ? text.trial : text.active} {nextPaymentAt && <RelativeTime at={nextPaymentAt} />}
          </>
        )
      }
    >
      {due}. {text.activeHint}
    </Banner>
  );
}

function Paused({ subscription }: { readonly subscription: SubscriptionDetail }) {
  const { pausedFrom, pausedUntil, pauseKeepsAccess } = subscription;
  return (
    <Banner
      tone="warn"
      title={
        <>
          {pauses.paused} {pausedFrom && <Time at={pausedFrom} />}{' '}
          {pausedUntil ? (
            <>
              {pauses.pausedUntil} <Time at={pausedUntil} />
            </>
          ) : (
            pauses.untilResumed
          )}
        </>
      }
      action={<ResumeButton subscription={subscription} />}
    >
      {pauseKeepsAccess ? pauses.withAccess : pauses.withoutAccess}
    </Banner>
  );
}

function Cancelled({ accessUntil }: Pick<SubscriptionDetail, 'accessUntil'>) {
  const now = useBillingNow();
  const hasAccess = accessUntil !== null && new Date(accessUntil) > now;
  return (
    <Banner tone="good" title={text.cancelled}>
      {hasAccess ? (
        <>
          {text.accessUntil} <Time at={accessUntil} />.
        </>
      ) : (
        text.accessOver
      )}
    </Banner>
  );
}

/** The reason that the customer gave for cancelling. */
function Feedback({ reason, comment }: NonNullable<SubscriptionDetail['cancellationRequest']>) {
  return (
    <div className="mt-1">
      <p>{text.byCustomer}</p>
      {reason && <p>{text.cancellationReasons[reason] ?? reason}</p>}
      {comment && <q>{comment}</q>}
    </div>
  );
}

function PastDue({ subscription }: { readonly subscription: SubscriptionDetail }) {
  const { lifeId, failureCount, nextAttemptAt, accessUntil, payments, plan } = subscription;
  const failed = openFailure(payments.edges.map(({ node }) => node));
  const code = failed?.failureCode;
  // The balance is shown only if it is the reason of the failure.
  const balance = code === 'INSUFFICIENT_FUNDS' ? failed : undefined;
  return (
    <Banner
      tone="warn"
      action={<RetryButton id={lifeId} />}
      title={
        <>
          {text.pastDue}
          {code && <>: {lowerCaseFirst(failures[code])}</>}
        </>
      }
    >
      {balance?.amountRequired && balance.balanceAvailable && (
        <p className="font-medium">
          <Amount amount={balance.amountRequired} mint={plan.mint} asset={plan.asset} /> {text.required},{' '}
          <Amount amount={balance.balanceAvailable} mint={plan.mint} asset={plan.asset} /> {text.available}.
        </p>
      )}
      {code && <p>{text.fixes[code]}</p>}
      {accessUntil && <p>{text.unpaid}</p>}
      <p className="mt-1">
        {text.failuresInARow(failureCount)}{' '}
        {nextAttemptAt && (
          <>
            {text.nextAttempt}: <RelativeTime at={nextAttemptAt} />.
          </>
        )}
      </p>
    </Banner>
  );
}

function lowerCaseFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

interface BannerProps {
  readonly tone: keyof typeof TONES;
  readonly title: ReactNode;
  /** A button for what the merchant can do. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

function Banner({ tone, title, action, children }: BannerProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={`flex flex-wrap items-start justify-between gap-x-4 gap-y-2 rounded-lg border px-4 py-3 ${TONES[tone]}`}
    >
      <div className="min-w-0 flex-1 basis-64">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        <div className={tone === 'good' ? 'text-soft' : ''}>{children}</div>
      </div>
      {action}
    </section>
  );
}
