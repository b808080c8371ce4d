import { useEffect, useState } from 'react';
import type {
  PortalFlowName,
  SubscriptionDetailAnswer,
  SubscriptionsAnswer,
} from '../../../src/api/portal/answers.ts';
import { portal as text } from '../../shared/text/portal.ts';
import { Failed } from '../shared/failed.tsx';
import { Title } from '../shared/frame.tsx';
import { useAnswer } from '../shared/use-answer.ts';
import { LoadingCards } from './loading.tsx';
import { priceOf } from './price.ts';
import { SubscriptionTasks } from './subscription-page.tsx';
import { StatusBadges } from './subscription-row.tsx';

interface TaskPageProps {
  readonly flow: Exclude<PortalFlowName, 'ALL'>;
  readonly onError: (error: Error) => void;
}

/** A page with one task. It asks for the subscription only if there are several. */
export function TaskPage({ flow, onError }: TaskPageProps) {
  const { data, error, reload } = useAnswer<SubscriptionsAnswer>('/api/portal/subscriptions');
  const [chosenId, setChosenId] = useState<string>();
  useEffect(() => {
    if (error) onError(error);
  }, [error, onError]);
  if (error) return <Failed error={error} onRetry={reload} />;
  if (!data) return <LoadingCards />;
  const open = data.subscriptions.filter(({ status }) => status === 'ACTIVE' || status === 'PAST_DUE');
  const candidates = open.length > 0 ? open : data.subscriptions;
  const [only] = candidates.length === 1 ? candidates : [];
  const id = chosenId ?? only?.id;
  return (
    <>
      <Title hint={id === undefined && candidates.length > 1 ? text.task.choose : undefined}>
        {text.task[flow]}
      </Title>
      {candidates.length === 0 && <p>{text.task.nothing}</p>}
      {id !== undefined && <Task id={id} onError={onError} />}
      {id === undefined &&
        candidates.map((candidate) => (
          <button
            key={candidate.id}
            type="button"
            onClick={() => setChosenId(candidate.id)}
            className="grid gap-0.5 rounded-lg border border-line bg-surface p-4 text-left shadow-low hover:border-edge"
          >
            <span className="flex flex-wrap items-center gap-x-2">
              <span className="font-semibold">{candidate.plan.name}</span>
              <StatusBadges subscription={candidate} />
            </span>
            <span className="text-soft">{priceOf(candidate)}</span>
          </button>
        ))}
    </>
  );
}

function Task({ id, onError }: { readonly id: string; readonly onError: (error: Error) => void }) {
  const answer = useAnswer<SubscriptionDetailAnswer>(`/api/portal/subscriptions/${id}`);
  const { data, error, reload } = answer;
  useEffect(() => {
    if (error) onError(error);
  }, [error, onError]);
  if (error) return <Failed error={error} onRetry={reload} />;
  if (!data) return <LoadingCards />;
  return (
    <>
      <p>
        <span className="font-semibold">{data.plan.name}</span>
        <span className="text-soft"> · {priceOf(data)}</span>
      </p>
      <SubscriptionTasks subscription={data} answer={answer} isTask />
    </>
  );
}
