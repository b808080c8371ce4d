import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { environment } from '../../../shared/api/environment.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { Icon } from '../../../shared/components/icon.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { health as text } from '../../../shared/text/health.ts';
import { RelativeTime } from '../../../shared/time/time.tsx';
import { CollectorsCard } from './collectors-card.tsx';
import { type Level, levelOfCollector, levelOfMirror, type ServiceHealth, worstOf } from './levels.ts';
import { MirrorCard } from './mirror-card.tsx';

const HEALTH = graphql(/* GraphQL */ `
  query HealthPage {
    serviceHealth {
      collectors {
        environment
        role
        address
        lamports
        daysLeft
        canPay
      }
      mirror {
        state
        slotsBehind
        silentSeconds
        doubt
      }
      checkedAt
    }
  }
`);

/** The health is polled, because no event reports its changes. */
const POLL_INTERVAL_MS = 15_000;

export const route = createLazyRoute('/app/health')({ component: HealthPage });

function HealthPage() {
  const { data, error, refetch } = useQuery({
    ...askOptions(HEALTH, {}),
    refetchInterval: POLL_INTERVAL_MS,
  });
  return (
    <Page
      title={text.title}
      description={text.description(environment.toUpperCase())}
      queries={[{ document: HEALTH, variables: {} }]}
    >
      <Loaded thing={data} error={error} onRetry={refetch}>
        {({ serviceHealth }) => <Health health={serviceHealth} />}
      </Loaded>
    </Page>
  );
}

const LOOKS: Readonly<Record<Level, string>> = {
  good: 'bg-good-ground text-good',
  warn: 'bg-warn-ground text-warn',
  bad: 'bg-bad-ground text-bad',
};

const HINTS: Readonly<Record<Level, string>> = {
  good: text.goodHint,
  warn: text.warnHint,
  bad: text.badHint,
};

function Health({ health: { collectors, mirror, checkedAt } }: { readonly health: ServiceHealth }) {
  const level = worstOf([
    ...(collectors?.map(levelOfCollector) ?? ['bad' as const]),
    levelOfMirror(mirror.state),
  ]);
  return (
    <>
      <section
        aria-label={text[level]}
        className={`mb-4 flex flex-wrap items-start gap-3 rounded-lg px-4 py-3 ${LOOKS[level]}`}
      >
        <Icon name={level === 'good' ? 'check' : 'alert'} className="mt-0.5 size-4" />
        <div className="min-w-0 flex-1 basis-60">
          <p role="status" className="font-semibold">
            {text[level]}
          </p>
          <p>{HINTS[level]}</p>
        </div>
      </section>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <CollectorsCard collectors={collectors} />
        <MirrorCard mirror={mirror} />
      </div>
      <p className="mt-4 text-xs text-soft">
        {text.checked} <RelativeTime at={checkedAt} />
      </p>
    </>
  );
}
