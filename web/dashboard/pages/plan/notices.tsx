import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../../shared/components/icon.tsx';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { plan as text } from '../../../shared/text/plan.ts';
import { planProblems } from '../../../shared/text/statuses.ts';
import { useBillingNow } from '../../../shared/time/billing-now.ts';
import { useFormatTime } from '../../../shared/time/time-zone.tsx';
import type { PlanDetail } from './plan.ts';

interface PlanNoticesProps {
  readonly plan: PlanDetail;
  /** Whether the plan became active while the page was open. */
  readonly isNew: boolean;
  readonly onRepair: () => void;
}

/** Notices at the top of a plan's page: it was published, has a problem, or is closed. */
export function PlanNotices({ plan, isNew, onRepair }: PlanNoticesProps) {
  const { name, problem, status, endsAt } = plan;
  const format = useFormatTime();
  const now = useBillingNow();
  const hasEnded = endsAt !== null && new Date(endsAt) <= now;
  return (
    <>
      {isNew && (
        <Notice icon="check" className="bg-good-ground text-good" title={text.published(name)}>
          {text.publishedHint}
        </Notice>
      )}
      {problem && (
        <Notice
          icon="alert"
          className="bg-bad-ground text-bad"
          title={text.problemTitle}
          action={
            problem === 'NOT_OUR_PLAN_TO_PULL' &&
            status === 'ACTIVE' && (
              <WriteButton kind="danger" onClick={onRepair}>
                {text.repair}
              </WriteButton>
            )
          }
        >
          {planProblems[problem]}
        </Notice>
      )}
      {status === 'INACTIVE' && endsAt && (
        <Notice icon="help" className="bg-sunken text-soft">
          {hasEnded ? text.over(format(endsAt)) : text.closed(format(endsAt))}
        </Notice>
      )}
    </>
  );
}

interface NoticeProps {
  readonly icon: IconName;
  readonly className: string;
  readonly title?: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

function Notice({ icon, className, title, action, children }: NoticeProps) {
  return (
    <section
      aria-label={title}
      className={`mb-4 flex flex-wrap items-center gap-3 rounded-lg px-4 py-3 ${className}`}
    >
      <Icon name={icon} className="size-4 self-start" />
      <div role="status" className="min-w-0 flex-1 basis-52">
        {title && <p className="font-semibold">{title}</p>}
        <p>{children}</p>
      </div>
      {action}
    </section>
  );
}
