import { useEffect, useState } from 'react';
import type {
  ActionName,
  MerchantAnswer,
  SubscriptionDetailAnswer,
} from '../../../src/api/portal/answers.ts';
import { Button, type ButtonKind, buttonClass } from '../../shared/components/button.tsx';
import { Card } from '../../shared/components/card.tsx';
import { Icon } from '../../shared/components/icon.tsx';
import { formatAmount } from '../../shared/money/token-amount.ts';
import { portal as text } from '../../shared/text/portal.ts';
import { askJson } from '../shared/ask-json.ts';
import { Failed } from '../shared/failed.tsx';
import { Problem, Title } from '../shared/frame.tsx';
import { type RouteAnswer, useAnswer } from '../shared/use-answer.ts';
import { follow } from '../shared/use-path.ts';
import { BillingCard } from './billing-card.tsx';
import { CancelForm } from './cancel-form.tsx';
import { describeStatus } from './describe-status.ts';
import { DiscountCard } from './discount-card.tsx';
import { LoadingCards } from './loading.tsx';
import { PauseForm, UnpauseForm } from './pause-form.tsx';
import { PaymentList } from './payment-list.tsx';
import { PermitCard } from './permit-card.tsx';
import { priceOf, tokensOf } from './price.ts';
import { SignCard } from './sign-card.tsx';
import { StatusBadges } from './subscription-row.tsx';
import { TopUpCard } from './top-up-card.tsx';
import { WalletCard } from './wallet-card.tsx';

interface PageProps {
  readonly id: string;
  readonly onError: (error: Error) => void;
  /** Called with the merchant when it is known. */
  readonly onMerchant: (merchant: MerchantAnswer | undefined) => void;
}

/** One subscription: its next payment, its wallet and approval, its payments, and its actions. */
export function SubscriptionPage({ id, onError, onMerchant }: PageProps) {
  const answer = useAnswer<SubscriptionDetailAnswer>(`/api/portal/subscriptions/${id}`);
  const { data, error, reload } = answer;
  useEffect(() => {
    if (error) onError(error);
  }, [error, onError]);
  useEffect(() => {
    onMerchant(data?.merchant);
  }, [data?.merchant, onMerchant]);
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
            {merchant.name} <StatusBadges subscription={data} />
          </p>
          <p className="mt-1 text-lg font-semibold tabular-nums">{priceOf(data)}</p>
        </div>
      </div>
      {plan.description && <p className="text-soft">{plan.description}</p>}
      <SubscriptionTasks subscription={data} answer={answer} />
      <DiscountCard subscription={data} />
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
  /** Whether the page shows one task, which is then opened at once. */
  readonly isTask?: boolean;
}

const KINDS: Readonly<Partial<Record<ActionName, ButtonKind>>> = {
  undo: 'primary',
  resume: 'primary',
  unpause: 'primary',
};

/** Buttons for the actions that a subscription allows now, and the form of the opened one. */
export function SubscriptionTasks({ subscription, answer, isTask = false }: TasksProps) {
  const { actions, subscribeAgain, merchant } = subscription;
  const [first] = actions;
  const [opened, setOpened] = useState<ActionName | undefined>(isTask ? first : undefined);
  const [message, setMessage] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const finish = (result: string) => {
    setOpened(undefined);
    setMessage(result);
  };
  // Payments fail until the approval is repaired, so the repair has its own card and no button.
  const [isRepairing, setRepairing] = useState(false);
  if (actions.includes('repair_approval') && !isRepairing) setRepairing(true);
  const undo = async () => {
    setProblem(undefined);
    try {
      answer.show(
        await askJson<SubscriptionDetailAnswer>(`/api/portal/subscriptions/${subscription.id}/undo`, {}),
      );
      // If the wallet has cancelled too, the wallet must also resume.
      if (actions.includes('resume')) setOpened('resume');
      else finish(text.kept);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const start = (action: ActionName) => {
    setMessage(undefined);
    if (action === 'undo') void undo();
    else setOpened(action);
  };
  const buttons = actions.filter(
    (action) =>
      action !== opened && action !== 'repair_approval' && !(action === 'resume' && actions.includes('undo')),
  );
  return (
    <>
      <Card>
        <p className="text-base">{describeStatus(subscription, formatAmount(tokensOf(subscription)))}</p>
        {message && (
          <p role="status" className="mt-2 flex items-center gap-2 text-good">
            <Icon name="check" className="size-5" />
            {message}
          </p>
        )}
        {problem && <Problem>{problem}</Problem>}
        {(buttons.length > 0 || subscribeAgain) && opened === undefined && (
          <div className="mt-4 flex flex-wrap gap-2">
            {subscribeAgain && (
              <a href={subscribeAgain.url} className={buttonClass('primary', 'min-h-11 px-4')}>
                {subscribeAgain.isSamePlan ? text.subscribeAgain : text.subscribeAgainAt(merchant.name)}
              </a>
            )}
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
            finish(text.cancel.done);
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
      {opened === 'pause' && (
        <PauseForm
          subscription={subscription}
          onDone={(changed) => {
            answer.show(changed);
            finish(text.pause.done);
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
      {opened === 'unpause' && (
        <UnpauseForm
          subscription={subscription}
          onDone={(changed) => {
            answer.show(changed);
            finish(text.pause.ended);
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
      {isRepairing && (
        <SignCard
          subscription={subscription}
          action="repair_approval"
          hint={text.repairHint}
          answer={answer}
          onDone={() => {
            setRepairing(false);
            finish(text.sign.done);
          }}
        />
      )}
      {opened === 'resume' && (
        <SignCard
          subscription={subscription}
          action="resume"
          hint={text.resumeHint}
          answer={answer}
          onDone={() => finish(text.kept)}
        />
      )}
      {opened === 'cancel_on_chain' && (
        <SignCard
          subscription={subscription}
          action="cancel_on_chain"
          hint={text.onChainHint}
          answer={answer}
          onDone={() => finish(text.sign.done)}
        />
      )}
      {opened === 'close' && (
        <SignCard
          subscription={subscription}
          action="close"
          hint={text.closeHint}
          answer={answer}
          onDone={() => finish(text.sign.done)}
        />
      )}
      {actions.includes('top_up') && opened !== 'top_up' && <WalletCard subscription={subscription} />}
      {opened === 'top_up' && (
        <TopUpCard
          subscription={subscription}
          answer={answer}
          onClose={isTask ? undefined : () => setOpened(undefined)}
        />
      )}
    </>
  );
}
