import { Link } from '@tanstack/react-router';
import { StatCard } from '../../../shared/components/stat-card.tsx';
import { Amount } from '../../../shared/money/amount.tsx';
import { plan as text } from '../../../shared/text/plan.ts';
import type { PlanDetail } from './plan.ts';

const count = new Intl.NumberFormat();

/** The numbers of a plan, each with a link to its list. */
export function PlanStats({ plan }: { readonly plan: PlanDetail }) {
  const { planId, subscribers, revenue, mint, asset, paymentCount } = plan;
  const { active, pastDue, cancelled, expired } = subscribers;
  return (
    <div className="grid gap-3 min-[28rem]:grid-cols-2 sm:gap-4 lg:grid-cols-4">
      <StatCard
        label={text.active}
        definition={text.activeDefinition}
        value={count.format(active)}
        link={
          <Link to="/subscriptions" search={{ plan: planId, status: 'ACTIVE' }} className="text-accent">
            {text.viewList}
          </Link>
        }
      />
      <StatCard
        label={text.pastDue}
        definition={text.pastDueDefinition}
        value={count.format(pastDue)}
        link={
          <Link to="/subscriptions" search={{ plan: planId, status: 'PAST_DUE' }} className="text-accent">
            {text.viewList}
          </Link>
        }
      />
      <StatCard
        label={text.ended}
        definition={text.endedDefinition}
        value={count.format(cancelled + expired)}
        link={
          <Link to="/subscriptions" search={{ plan: planId }} className="text-accent">
            {text.viewList}
          </Link>
        }
      />
      <StatCard
        label={text.collected}
        definition={text.collectedDefinition}
        value={<Amount amount={revenue} mint={mint} asset={asset} />}
        link={
          <Link to="/payments" search={{ plan: planId, status: 'SUCCEEDED' }} className="text-accent">
            {text.payments(count.format(paymentCount))}
          </Link>
        }
      />
    </div>
  );
}
