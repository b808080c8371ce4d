import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { isLive } from '../../../shared/api/environment.ts';
import { useStream } from '../../../shared/api/live.tsx';
import { askOptions } from '../../../shared/api/query.ts';
import { Button } from '../../../shared/components/button.tsx';
import { ErrorPanel } from '../../../shared/components/error-panel.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { SkeletonRows } from '../../../shared/components/skeleton.tsx';
import { StatusBadge } from '../../../shared/components/status-badge.tsx';
import { waitingTitle } from '../../../shared/components/waiting-title.ts';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { plan as text } from '../../../shared/text/plan.ts';
import { AccessCard } from './access-card.tsx';
import { type ChainChange, ChainDialog } from './chain-dialog.tsx';
import { CloseDialog } from './close-dialog.tsx';
import { DeleteDraftDialog } from './delete-draft-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { PlanNotices } from './notices.tsx';
import { PLAN, PLAN_FOLLOWED, type PlanDetail } from './plan.ts';
import { PricesCard } from './prices-card.tsx';
import { PublishPanel } from './publish-panel.tsx';
import { ShareDialog } from './share-dialog.tsx';
import { SharePanel } from './share-panel.tsx';
import { PlanStats } from './stats.tsx';
import { PlanTerms } from './terms.tsx';
import { TestCheckoutDialog } from './test-checkout-dialog.tsx';

export const route = createLazyRoute('/app/plans/$planId')({ component: PlanPage });

const api = getRouteApi('/app/plans/$planId');

function PlanPage() {
  const { planId } = api.useParams();
  const { data, error, refetch } = useQuery(askOptions(PLAN, { planId }, { live: ['subscription.'] }));
  const plan = data?.plan ?? undefined;
  useStream(
    PLAN_FOLLOWED,
    { planId },
    {
      onData: ({ planUpdated }) => {
        if (plan && hasChanged(plan, planUpdated)) void refetch();
      },
      onGap: () => void refetch(),
    },
  );
  if (data && plan) return <LoadedPlan plan={plan} grace={data.settings.graceSeconds} />;
  return (
    <Page list="plans" title={waitingTitle(error)}>
      {error ? <ErrorPanel error={error} onRetry={refetch} /> : <SkeletonRows />}
    </Page>
  );
}

function hasChanged(plan: PlanDetail, followed: Partial<PlanDetail>): boolean {
  return Object.entries(followed).some(([name, value]) => plan[name as keyof PlanDetail] !== value);
}

type Opened = 'edit' | 'close' | 'deleteDraft' | 'share' | 'testCheckout' | ChainChange;

interface LoadedPlanProps {
  readonly plan: PlanDetail;
  /** The grace of the environment, in seconds. */
  readonly grace: number;
}

function LoadedPlan({ plan, grace }: LoadedPlanProps) {
  const [opened, setOpened] = useState<Opened>();
  const wasDraft = useRef(plan.status === 'DRAFT');
  const { name, planId, status } = plan;
  const close = () => setOpened(undefined);
  const action = (dialog: Opened, label: string, kind?: 'primary' | 'plain') => (
    <WriteButton key={dialog} kind={kind} onClick={() => setOpened(dialog)}>
      {label}
    </WriteButton>
  );
  return (
    <Page
      list="plans"
      title={name}
      description={
        <span className="inline-flex flex-wrap items-center gap-2">
          <code className="font-mono text-[0.8125rem]">{planId}</code>
          <StatusBadge status={status} />
        </span>
      }
      queries={[{ document: PLAN, variables: { planId } }]}
      actions={
        <>
          {status === 'DRAFT' && action('deleteDraft', text.deleteDraft, 'plain')}
          {status === 'ACTIVE' && action('close', text.close, 'plain')}
          {status === 'INACTIVE' && action('deleteAccount', text.deleteAccount, 'plain')}
          {action('edit', text.edit)}
          {status === 'ACTIVE' && <Button onClick={() => setOpened('share')}>{text.shareLink}</Button>}
          {status === 'ACTIVE' && !isLive && action('testCheckout', text.testCheckout, 'primary')}
        </>
      }
    >
      <PlanNotices
        plan={plan}
        isNew={wasDraft.current && status === 'ACTIVE'}
        onRepair={() => setOpened('repair')}
      />
      {status === 'DRAFT' ? (
        <PublishPanel plan={plan} />
      ) : (
        <div className="grid gap-4">
          <PlanStats plan={plan} />
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
            {status === 'ACTIVE' ? <SharePanel planId={planId} /> : <PlanTerms plan={plan} />}
            {status === 'ACTIVE' && <PlanTerms plan={plan} />}
            <PricesCard plan={plan} />
            <AccessCard plan={plan} ofEnvironment={grace} />
          </div>
        </div>
      )}
      {opened === 'edit' && <EditDialog plan={plan} onClose={close} />}
      {opened === 'close' && <CloseDialog plan={plan} onClose={close} />}
      {opened === 'deleteDraft' && <DeleteDraftDialog planId={planId} onClose={close} />}
      {opened === 'share' && <ShareDialog plan={plan} onClose={close} />}
      {opened === 'testCheckout' && <TestCheckoutDialog planId={planId} onClose={close} />}
      {(opened === 'repair' || opened === 'deleteAccount') && (
        <ChainDialog change={opened} plan={plan} onClose={close} />
      )}
    </Page>
  );
}
