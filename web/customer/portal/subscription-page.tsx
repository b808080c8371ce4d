import { useEffect, useState } from 'react';
import type { ActionName, SubscriptionDetailAnswer } from '../../../src/api/portal/answers.ts';
import { Button, type ButtonKind } from '../../shared/components/button.tsx';
import { Card } from '../../shared/components/card.tsx';
import { Icon } from '../../shared/components/icon.tsx';
import { formatAmount } from '../../shared/money/amount.tsx';
import { portal as text } from '../../shared/text/portal.ts';
import { askJson } from '../shared/ask-json.ts';
import { formatDate } from '../shared/dates.ts';
import { Failed } from '../shared/failed.tsx';
import { Problem, Title } from '../shared/frame.tsx';
import { type RouteAnswer, useAnswer } from '../shared/use-answer.ts';
import { follow } from '../shared/use-path.ts';
import { BillingCard } from './billing-card.tsx';
import { CancelForm } from './cancel-form.tsx';
import { LoadingCards } from './loading.tsx';
import { PaymentList } from './payment-list.tsx';
import { PermitCard } from './permit-card.tsx';
import { priceOf, tokensOf } from './price.ts';
import { SignCard } from './sign-card.tsx';
import { isEnding, isPaidFor, StatusOf } from './subscription-row.tsx';
import { TopUpCard } from './top-up-card.tsx';
import { WalletCard } from './wallet-card.tsx';

interface PageProps {
  readonly id: string;
  readonly onError: (error: Error) => void;
}

/** One subscription: what follows, what the wallet holds and permits, its payments, what can be done. */
export function SubscriptionPage({ id, onError }: PageProps) {
  const answer = useAnswer<SubscriptionDetailAnswer>(`/api/portal/subscriptions/${id}`);
  const { data, error, reload } = answer;
  useEffect(() => {
    if (error) onError(error);
  }, [error, onError]);
  const back = (
    <p>
      <a
        href="/portal"
        onClick={follow}
        className="inline-flex min-h-8 items-center gap-1 text-sm no-underline"
      >
        <Icon name="chevronLeft" />
        {text.back}
      </a>
    </p>
  );
  if (error) {
    return (
      <>
        {back}
        <Failed error={error} onRetry={reload} />
      </>
    );
  }
  if (!data) return <LoadingCards />;
  const { plan, merchant } = data;
  return (
    <>
      {back}
      <div className="flex items-start gap-4">
        {plan.imageUrl && (
          <img
            src={plan.imageUrl}
            alt=""
            width="56"
            height="56"
            className="size-14 rounded-lg object-cover"
          />
        )}
        <div className="min-w-0 flex-1">
          <Title>{plan.name}</Title>
          <p className="flex flex-wrap items-center gap-2 text-soft">
            {merchant.name} <StatusOf subscription={data} />
          </p>
          <p className="mt-1 text-lg font-semibold tabular-nums">{priceOf(data)}</p>
        </div>
      </div>
      {plan.description && <p className="text-soft">{plan.description}</p>}
      <SubscriptionTasks subscription={data} answer={answer} />
      <PermitCard subscription={data} />
      <PaymentList subscription={data} />
      <BillingCard subscription={data} />
      {merchant.supportEmail && (
        <p className="text-sm text-soft">
          {text.support}{' '}
          <a href={`mailto:${encodeURIComponent(merchant.supportEmail)}`}>{merchant.supportEmail}</a>
        </p>
      )}
    </>
  );
}

interface TasksProps {
  readonly subscription: SubscriptionDetailAnswer;
  readonly answer: RouteAnswer<SubscriptionDetailAnswer>;
  /** Whether the page shows one task: it then begins opened. */
  readonly isTask?: boolean;
}

const KINDS: Readonly<Partial<Record<ActionName, ButtonKind>>> = {
  undo: 'primary',
  resume: 'primary',
};

/** What can be done with a subscription now, and how far that is. */
export function SubscriptionTasks({ subscription, answer, isTask = false }: TasksProps) {
  const { actions } = subscription;
  const [first] = actions;
  const [opened, open] = useState<ActionName | undefined>(isTask ? first : undefined);
  const [said, say] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const done = (words: string) => {
    open(undefined);
    say(words);
  };
  // A repair is what the page is about while payments fail, so it is not one button among others.
  const [repairs, setRepairs] = useState(false);
  if (actions.includes('repair_approval') && !repairs) setRepairs(true);
  const undo = async () => {
    setProblem(undefined);
    try {
      answer.show(
        await askJson<SubscriptionDetailAnswer>(`/api/portal/subscriptions/${subscription.id}/undo`, {}),
      );
      // What the wallet has cancelled too, it must resume.
      if (actions.includes('resume')) open('resume');
      else done(text.kept);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const start = (action: ActionName) => {
    say(undefined);
    if (action === 'undo') void undo();
    else open(action);
  };
  const buttons = actions.filter(
    (action) =>
      action !== opened && action !== 'repair_approval' && !(action === 'resume' && actions.includes('undo')),
  );
  return (
    <>
      <Card>
        <p className="text-base">{standingOf(subscription)}</p>
        {said && (
          <p role="status" className="mt-2 flex items-center gap-2 text-good">
            <Icon name="check" className="size-5" />
            {said}
          </p>
        )}
        {problem && <Problem>{problem}</Problem>}
        {buttons.length > 0 && opened === undefined && (
          <div className="mt-4 flex flex-wrap gap-2">
            {buttons.map((action) => (
              <Button
                key={action}
                kind={KINDS[action] ?? 'secondary'}
                className="min-h-11 px-4"
                onClick={() => start(action)}
              >
                {text.actions[action]}
              </Button>
            ))}
          </div>
        )}
      </Card>
      {opened === 'cancel' && (
        <CancelForm
          subscription={subscription}
          onDone={(changed) => {
            answer.show(changed);
            done(text.cancel.done);
          }}
          onClose={() => open(undefined)}
        />
      )}
      {repairs && (
        <SignCard
          subscription={subscription}
          action="repair_approval"
          hint={text.repairHint}
          answer={answer}
          onDone={() => {
            setRepairs(false);
            done(text.sign.done);
          }}
        />
      )}
      {opened === 'resume' && (
        <SignCard
          subscription={subscription}
          action="resume"
          hint={text.resumeHint}
          answer={answer}
          onDone={() => done(text.kept)}
        />
      )}
      {opened === 'cancel_on_chain' && (
        <SignCard
          subscription={subscription}
          action="cancel_on_chain"
          hint={text.onChainHint}
          answer={answer}
          onDone={() => done(text.sign.done)}
        />
      )}
      {opened === 'close' && (
        <SignCard
          subscription={subscription}
          action="close"
          hint={text.closeHint}
          answer={answer}
          onDone={() => done(text.sign.done)}
        />
      )}
      {actions.includes('top_up') && opened !== 'top_up' && <WalletCard subscription={subscription} />}
      {opened === 'top_up' && (
        <TopUpCard
          subscription={subscription}
          answer={answer}
          onClose={isTask ? undefined : () => open(undefined)}
        />
      )}
    </>
  );
}

function standingOf(subscription: SubscriptionDetailAnswer): string {
  const words = text.standing;
  const { status, nextPaymentAt, accessUntil } = subscription;
  if (status === 'PAST_DUE' && nextPaymentAt !== null) return words.overdue;
  if (nextPaymentAt !== null)
    return words.next(formatAmount(tokensOf(subscription)), formatDate(nextPaymentAt));
  if (accessUntil !== null && isEnding(subscription)) return words.ending(formatDate(accessUntil));
  if (accessUntil !== null && isPaidFor(subscription)) return words.paidUntil(formatDate(accessUntil));
  return status === 'EXPIRED' ? words.expired : words.ended;
}
