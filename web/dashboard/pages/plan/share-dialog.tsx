import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions, useChange } from '../../../shared/api/query.ts';
import { Dialog } from '../../../shared/components/dialog.tsx';
import { ErrorPanel } from '../../../shared/components/error-panel.tsx';
import { FormError } from '../../../shared/components/form-error.tsx';
import { LiveForm } from '../../../shared/components/live-form.tsx';
import { SkeletonRows } from '../../../shared/components/skeleton.tsx';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { links } from '../../../shared/text/links.ts';
import { plan as text } from '../../../shared/text/plan.ts';
import { ShareParts } from '../links/share-dialog.tsx';
import type { PlanDetail } from './plan.ts';

const LINK = graphql(/* GraphQL */ `
  query LinkOfPlan($planId: String!) {
    paymentLinks(planId: $planId, active: true, first: 1) {
      edges {
        node {
          id
          url
          qrSvgUrl
          qrPngUrl
          embedScriptUrl
          plan {
            name
          }
        }
      }
    }
  }
`);

const CREATE = graphql(/* GraphQL */ `
  mutation CreateLinkOfPlan($planId: String!) {
    createPaymentLink(input: { planId: $planId }) {
      id
    }
  }
`);

interface ShareDialogProps {
  readonly plan: PlanDetail;
  readonly onClose: () => void;
}

/** The newest active payment link of a plan, or the button that creates one. */
export function ShareDialog({ plan: { planId, name }, onClose }: ShareDialogProps) {
  const { data, error, refetch } = useQuery(askOptions(LINK, { planId }));
  const create = useChange(CREATE);
  const link = data?.paymentLinks.edges[0]?.node;
  return (
    <Dialog
      title={links.shareTitle(name)}
      description={link ? text.linkShared : text.linkHint}
      onClose={onClose}
      wide={link !== undefined}
    >
      {link ? (
        <>
          <ShareParts link={link} />
          <p className="mt-5 border-t border-line pt-3 text-right">
            <Link to="/links">{text.allLinks}</Link>
          </p>
        </>
      ) : error ? (
        <ErrorPanel error={error} onRetry={refetch} />
      ) : !data ? (
        <SkeletonRows />
      ) : (
        <LiveForm
          question={links.liveQuestion}
          className="grid justify-items-start gap-3"
          onSubmit={() => create.mutate({ planId })}
        >
          <FormError message={create.error?.message} />
          <WriteButton type="submit" kind="primary" icon="plus" busy={create.isPending}>
            {links.createTitle}
          </WriteButton>
        </LiveForm>
      )}
    </Dialog>
  );
}
