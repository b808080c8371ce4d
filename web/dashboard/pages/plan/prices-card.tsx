import { useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { Badge } from '../../../shared/components/badge.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { FormError } from '../../../shared/components/form-error.tsx';
import { LiveForm } from '../../../shared/components/live-form.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { Amount } from '../../../shared/money/amount.tsx';
import { toBaseUnits } from '../../../shared/money/base-units.ts';
import { formatAmount } from '../../../shared/money/token-amount.ts';
import { plan as text } from '../../../shared/text/plan.ts';
import { DateOnly } from '../../../shared/time/time.tsx';
import type { PlanDetail } from './plan.ts';

const CREATE = graphql(/* GraphQL */ `
  mutation CreatePrice($planId: String!, $amount: TokenAmount!) {
    createPrice(planId: $planId, amount: $amount) {
      version
    }
  }
`);

const RETIRE = graphql(/* GraphQL */ `
  mutation RetirePrice($priceId: ID!) {
    retirePrice(priceId: $priceId) {
      version
    }
  }
`);

type Price = PlanDetail['prices'][number];

/** The versions of a plan's price, newest first, and a form for the next one. */
export function PricesCard({ plan }: { readonly plan: PlanDetail }) {
  const { prices, mint, asset, status } = plan;
  const [retiring, setRetiring] = useState<Price>();
  return (
    <Card title={text.prices} description={text.pricesHint}>
      <ul className="divide-y divide-line" aria-label={text.prices}>
        {prices.map((price, index) => (
          <li key={price.id} className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <span className="grow">
              <Amount amount={price.amount} mint={mint} asset={asset} />
              <span className="block text-xs text-soft">
                {text.versionOf(price.version)} · <DateOnly at={price.createdAt} />
              </span>
            </span>
            {index === 0 ? (
              <Badge tone="good">{text.currentPrice}</Badge>
            ) : price.retiredAt ? (
              <Badge>{text.retiredPrice}</Badge>
            ) : (
              <WriteButton aria-label={text.retireLabel(price.version)} onClick={() => setRetiring(price)}>
                {text.retire}
              </WriteButton>
            )}
          </li>
        ))}
      </ul>
      {status === 'ACTIVE' && <PriceForm plan={plan} />}
      {retiring && <RetireDialog price={retiring} onClose={() => setRetiring(undefined)} />}
    </Card>
  );
}

function PriceForm({ plan: { planId, maxAmount, mint, asset } }: { readonly plan: PlanDetail }) {
  const toast = useToast();
  const decimals = asset.decimals ?? 0;
  const limit = formatAmount({ amount: maxAmount, mint, asset });
  const { form, errorOf, formError, submit } = useApiForm(
    { amount: '' },
    {
      amount: (typed) => {
        const amount = toBaseUnits(typed, decimals);
        if (!amount) return text.priceInvalid(decimals);
        return BigInt(amount) > BigInt(maxAmount) ? text.priceAboveLimit(limit) : undefined;
      },
    },
  );
  const create = useChange(CREATE, {
    onDone: ({ createPrice: { version } }) => {
      toast(text.priceCreated(version));
      form.reset();
    },
  });
  const send = submit(async ({ amount }) =>
    create.mutateAsync({ planId, amount: toBaseUnits(amount, decimals) ?? '' }),
  );
  return (
    <LiveForm
      question={{ title: text.newPriceTitle, hint: text.newPriceEffect, action: text.createPrice }}
      onSubmit={send}
      className="mt-2 grid gap-3 border-t border-line pt-4"
    >
      <Field label={text.newPrice} hint={text.newPriceHint(limit)} error={errorOf('amount')}>
        {(control) => (
          <input {...control} {...form.register('amount')} inputMode="decimal" autoComplete="off" />
        )}
      </Field>
      <FormError message={formError} />
      <div>
        <WriteButton type="submit" busy={form.formState.isSubmitting}>
          {text.createPrice}
        </WriteButton>
      </div>
    </LiveForm>
  );
}

interface RetireDialogProps {
  readonly price: Price;
  readonly onClose: () => void;
}

function RetireDialog({ price: { id, version }, onClose }: RetireDialogProps) {
  const toast = useToast();
  const retire = useChange(RETIRE, {
    onDone: () => {
      toast(text.retired(version));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={text.retireTitle(version)}
      action={text.retirePrice}
      danger
      busy={retire.isPending}
      error={retire.error?.message}
      onConfirm={() => retire.mutate({ priceId: id })}
      onClose={onClose}
    >
      {text.retireHint}
    </ConfirmDialog>
  );
}
