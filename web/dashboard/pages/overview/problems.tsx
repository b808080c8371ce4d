import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { HealthProblemsQuery, MirrorState } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { Icon } from '../../../shared/components/icon.tsx';
import { overview as text } from '../../../shared/text/overview.ts';
import { planProblems } from '../../../shared/text/statuses.ts';
import { levelOfCollector } from '../health/levels.ts';

const PROBLEMS = graphql(/* GraphQL */ `
  query Problems {
    plans(first: 100, status: ACTIVE) {
      edges {
        node {
          planId
          name
          problem
        }
      }
    }
    webhookEndpoints(first: 20) {
      edges {
        node {
          id
          url
          status
          failingSince
          disabledReason
        }
      }
    }
  }
`);

/** Options of the query for plans and endpoints. */
export const PROBLEMS_OPTIONS = askOptions(
  PROBLEMS,
  {},
  { live: ['endpoint.', 'subscription.payment_missed', 'subscription.payment_failed'] },
);

// A separate query, because it fails in an environment without a cluster.
const HEALTH = graphql(/* GraphQL */ `
  query HealthProblems {
    serviceHealth {
      collectors {
        role
        canPay
        daysLeft
      }
      mirror {
        state
      }
    }
  }
`);

const HEALTH_POLL_INTERVAL_MS = 60_000;

interface Problem {
  readonly key: string;
  readonly text: string;
  readonly link: ReactNode;
}

/** The problems that prevent payments or webhooks, at the top of the overview. */
export function Problems() {
  const { data } = useQuery(PROBLEMS_OPTIONS);
  const health = useQuery({ ...askOptions(HEALTH, {}), refetchInterval: HEALTH_POLL_INTERVAL_MS }).data;
  if (!data) return null;
  const problems: Problem[] = [
    ...data.plans.edges.flatMap(({ node: { planId, name, problem } }) => {
      if (!problem) return [];
      const link = (
        <Link key={planId} to="/plans/$planId" params={{ planId }} className="text-bad">
          {text.view}
        </Link>
      );
      return [{ key: planId, text: `${name}: ${planProblems[problem]}`, link }];
    }),
    ...data.webhookEndpoints.edges.flatMap(({ node: { id, url, status, failingSince, disabledReason } }) => {
      const isDisabled = status === 'DISABLED' && disabledReason !== 'MERCHANT';
      if (!isDisabled && (status !== 'ENABLED' || !failingSince)) return [];
      const link = (
        <Link key={id} to="/webhooks/$id" params={{ id }} className="text-bad">
          {text.view}
        </Link>
      );
      return [{ key: id, text: isDisabled ? text.endpointDisabled(url) : text.endpointFailing(url), link }];
    }),
    ...(health ? healthProblems(health.serviceHealth) : []),
  ];
  if (problems.length === 0) return null;
  return (
    <section aria-label={text.problems} className="mb-4 rounded-lg bg-bad-ground px-4 py-3 text-bad">
      <ul className="grid gap-1.5">
        {problems.map((problem) => (
          <li key={problem.key} className="flex items-start gap-2">
            <Icon name="alert" className="mt-0.5 size-4" />
            <span className="min-w-0 flex-1">{problem.text}</span>
            {problem.link}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Problems of the service: it cannot collect payments, or its mirror is behind. */
function healthProblems({ collectors, mirror }: HealthProblemsQuery['serviceHealth']): Problem[] {
  const link = (
    <Link to="/health" className="text-bad">
      {text.view}
    </Link>
  );
  const mirrorProblems: Partial<Record<MirrorState, string>> = text.mirror;
  const mirrorProblem = mirrorProblems[mirror.state];
  const texts = [
    ...(collectors ?? []).flatMap((collector) => {
      const level = levelOfCollector(collector);
      return level === 'good' ? [] : [text.collectors[collector.role][level]];
    }),
    ...(collectors === null ? [text.clusterSilent] : []),
    ...(mirrorProblem ? [mirrorProblem] : []),
  ];
  return texts.map((problem) => ({ key: problem, text: problem, link }));
}
