import { useEffect, useState } from 'react';
import type {
  SessionAnswer,
  SubscriptionAnswer,
  SubscriptionsAnswer,
} from '../../../src/api/portal/answers.ts';
import { portal as text } from '../../shared/text/portal.ts';
import { askJson } from '../shared/ask-json.ts';
import { Failed } from '../shared/failed.tsx';
import { Title } from '../shared/frame.tsx';
import { MoreButton } from '../shared/more-button.tsx';
import { useAnswer } from '../shared/use-answer.ts';
import { DuplicateList } from './duplicate-list.tsx';
import { LoadingCards } from './loading.tsx';
import { SubscriptionRow } from './subscription-row.tsx';

const PATH = '/api/portal/subscriptions';

interface ListProps {
  readonly session: NonNullable<SessionAnswer['session']>;
  readonly onError: (error: Error) => void;
}

/** All subscriptions of the portal session: first the open ones, then those that have ended. */
export function SubscriptionList({ session, onError }: ListProps) {
  const { data, error, reload } = useAnswer<SubscriptionsAnswer>(PATH);
  const [older, setOlder] = useState<SubscriptionsAnswer>();
  useEffect(() => {
    if (error) onError(error);
  }, [error, onError]);
  if (error) return <Failed error={error} onRetry={reload} />;
  if (!data) return <LoadingCards />;
  const shown = [...data.subscriptions, ...(older?.subscriptions ?? [])];
  const { hasMore } = older ?? data;
  const showMore = async () => {
    const { subscriptions, hasMore } = await askJson<SubscriptionsAnswer>(
      `${PATH}?before=${shown.at(-1)?.id}`,
    );
    setOlder({ subscriptions: [...(older?.subscriptions ?? []), ...subscriptions], hasMore });
  };
  const active = shown.filter(({ status }) => status === 'ACTIVE' || status === 'PAST_DUE');
  const past = shown.filter((subscription) => !active.includes(subscription));
  const { merchant, walletAddress } = session;
  return (
    <>
      <Title>{merchant ? text.titleAt(merchant.name) : text.title}</Title>
      {walletAddress && <DuplicateList />}
      {shown.length === 0 && <p className="text-soft">{walletAddress ? text.noneOfWallet : text.noneHere}</p>}
      <Group title={text.active} subscriptions={active} isNamed={!merchant} />
      <Group title={text.past} subscriptions={past} isNamed={!merchant} />
      {hasMore && <MoreButton onMore={showMore} />}
    </>
  );
}

interface GroupProps {
  readonly title: string;
  readonly subscriptions: readonly SubscriptionAnswer[];
  /** Whether each row shows its company. */
  readonly isNamed: boolean;
}

function Group({ title, subscriptions, isNamed }: GroupProps) {
  if (subscriptions.length === 0) return null;
  return (
    <section>
      <h2 className="mb-2 font-semibold">{title}</h2>
      <ul className="grid gap-2">
        {subscriptions.map((subscription) => (
          <li key={subscription.id}>
            <SubscriptionRow subscription={subscription} isNamed={isNamed} />
          </li>
        ))}
      </ul>
    </section>
  );
}
