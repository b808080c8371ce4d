import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions, useChange } from '../../../shared/api/query.ts';
import { buttonClass } from '../../../shared/components/button.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { Dialog } from '../../../shared/components/dialog.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { formatDiscount } from '../../../shared/money/discount-value.ts';
import { discounts, subscriptionDiscount as text } from '../../../shared/text/discounts.ts';
import { DateOnly } from '../../../shared/time/time.tsx';
import type { SubscriptionDetail } from './subscription-detail.ts';

const OFFERED = graphql(/* GraphQL */ `
  query DiscountsToApply {
    discounts(isActive: true, first: 100) {
      edges {
        node {
          id
          name
          percentBps
          amount
          asset {
            mint
            symbol
            decimals
          }
          periods
          state
          plans {
            planId
          }
        }
      }
    }
  }
`);

const APPLY = graphql(/* GraphQL */ `
  mutation ApplyDiscount($id: ID!, $discountId: ID!) {
    applyDiscount(subscription: $id, discountId: $discountId) {
      lifeId
    }
  }
`);

const REMOVE = graphql(/* GraphQL */ `
  mutation RemoveDiscount($id: ID!) {
    removeDiscount(subscription: $id) {
      lifeId
    }
  }
`);

interface DialogProps {
  readonly subscription: SubscriptionDetail;
  readonly onClose: () => void;
}

/** The discount of a subscription, and what the merchant can do about it. */
export function DiscountCard({ subscription }: Pick<DialogProps, 'subscription'>) {
  const { discount: applied, plan } = subscription;
  const [opened, setOpened] = useState<'apply' | 'remove'>();
  const close = () => setOpened(undefined);
  return (
    <Card title={text.title}>
      {applied ? (
        <Facts
          facts={[
            {
              label: text.name,
              value: (
                <Link to="/discounts/$id" params={{ id: applied.discount.id }}>
                  {applied.discount.name}
                </Link>
              ),
            },
            { label: text.value, value: formatDiscount(applied.discount, plan.asset) },
            { label: text.left, value: applied.periodsLeft ?? text.all },
            { label: text.fullPrice, value: applied.fullPriceAt && <DateOnly at={applied.fullPriceAt} /> },
          ]}
        />
      ) : (
        <p className="text-soft">{text.none}</p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <WriteButton onClick={() => setOpened('apply')}>{applied ? text.replace : text.apply}</WriteButton>
        {applied && <WriteButton onClick={() => setOpened('remove')}>{text.remove}</WriteButton>}
      </div>
      {opened === 'apply' && <ApplyDialog subscription={subscription} onClose={close} />}
      {opened === 'remove' && <RemoveDialog subscription={subscription} onClose={close} />}
    </Card>
  );
}

function ApplyDialog({ subscription: { lifeId, plan, discount: applied }, onClose }: DialogProps) {
  const toast = useToast();
  const { data } = useQuery(askOptions(OFFERED, {}));
  const [selected, setSelected] = useState<string>();
  const apply = useChange(APPLY, {
    onDone: () => {
      toast(text.applied);
      onClose();
    },
  });
  const fitting = data?.discounts.edges
    .map(({ node }) => node)
    .filter(
      ({ state, plans, asset }) =>
        state === 'ON' &&
        (plans.length === 0 || plans.some(({ planId }) => planId === plan.planId)) &&
        (asset === null || asset.mint === plan.mint),
    );
  const discountId = selected ?? fitting?.[0]?.id;
  if (fitting?.length === 0) {
    return (
      <Dialog title={text.applyTitle} onClose={onClose}>
        <p className="mb-4 text-soft">{text.noneFits}</p>
        <Link to="/discounts/new" className={buttonClass('primary')}>
          {discounts.create}
        </Link>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title={text.applyTitle}
      action={text.apply}
      busy={apply.isPending}
      error={apply.error?.message}
      onConfirm={() => discountId && apply.mutate({ id: lifeId, discountId })}
      onClose={onClose}
    >
      <div className="grid gap-3">
        <p>
          {text.applyHint} {applied && text.replaceHint(applied.discount.name)}
        </p>
        <Field label={text.choose}>
          {(control) => (
            <select {...control} value={discountId} onChange={({ target }) => setSelected(target.value)}>
              {fitting?.map(({ id, name, asset, periods, ...value }) => (
                <option key={id} value={id}>
                  {name} ({formatDiscount(value, asset)}, {discounts.payments(periods).toLowerCase()})
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
    </ConfirmDialog>
  );
}

function RemoveDialog({ subscription: { lifeId, discount }, onClose }: DialogProps) {
  const toast = useToast();
  const remove = useChange(REMOVE, {
    onDone: () => {
      toast(text.removed);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={text.removeTitle}
      action={text.remove}
      danger
      busy={remove.isPending}
      error={remove.error?.message}
      onConfirm={() => remove.mutate({ id: lifeId })}
      onClose={onClose}
    >
      {discount && text.removeHint(discount.discount.name)}
    </ConfirmDialog>
  );
}
