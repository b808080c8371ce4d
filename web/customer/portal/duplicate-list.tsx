import type { DuplicateAnswer, DuplicatesAnswer } from '../../../src/api/portal/answers.ts';
import { Card } from '../../shared/components/card.tsx';
import { portal } from '../../shared/text/portal.ts';
import { formatDate } from '../shared/dates.ts';
import { useAnswer } from '../shared/use-answer.ts';
import { SignWithWallet } from './sign-card.tsx';

const text = portal.duplicates;

/**
 * The subscriptions that this wallet created for checkouts which another wallet had completed, with
 * what is left to do. Shows nothing if there are none, or while they cannot be read.
 */
export function DuplicateList() {
  const { data, reload } = useAnswer<DuplicatesAnswer>('/api/portal/duplicates');
  if (!data || data.duplicates.length === 0) return null;
  return (
    <section>
      <h2 className="mb-2 font-semibold">{text.title}</h2>
      <ul className="grid gap-2">
        {data.duplicates.map((duplicate) => (
          // A new key for each action, so that the second one starts again.
          <li key={`${duplicate.address} ${duplicate.action}`}>
            <DuplicateCard duplicate={duplicate} reload={reload} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface CardProps {
  readonly duplicate: DuplicateAnswer;
  readonly reload: () => Promise<void>;
}

function DuplicateCard({ duplicate, reload }: CardProps) {
  const { address, planName, merchant, walletAddress, cluster, action } = duplicate;
  return (
    <Card title={text.of(planName, merchant.name)} description={text.hint}>
      <p className="mb-2">{describeState(duplicate)}</p>
      {action !== null && (
        <SignWithWallet
          path={`/api/subscriptions/${address}/transaction`}
          action={action}
          walletAddress={walletAddress}
          cluster={cluster}
          isDone={false}
          reload={reload}
        />
      )}
    </Card>
  );
}

function describeState({ action, closableAt }: DuplicateAnswer): string {
  if (closableAt !== null) return text.closableAt(formatDate(closableAt));
  if (action === null) return portal.wallet.unread;
  return action === 'cancel' ? text.cancel : portal.closeHint;
}
