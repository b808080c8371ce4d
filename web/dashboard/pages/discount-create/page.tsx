import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions, useChange } from '../../../shared/api/query.ts';
import { dayRange } from '../../../shared/api/search-params.ts';
import { buttonClass } from '../../../shared/components/button.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { optionsOf } from '../../../shared/components/filter-options.ts';
import { required } from '../../../shared/components/form-checks.ts';
import { FormError } from '../../../shared/components/form-error.tsx';
import { LiveForm } from '../../../shared/components/live-form.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { toBaseUnits } from '../../../shared/money/base-units.ts';
import { unitOf } from '../../../shared/money/token-amount.ts';
import { discountForm as text } from '../../../shared/text/discounts.ts';
import { labels } from '../../../shared/text/labels.ts';
import { plan as planText } from '../../../shared/text/plan.ts';
import { bpsOf, countOf, optionalCount, periodsOf } from './discount-values.ts';
import { LimitFields } from './limit-fields.tsx';
import { Preview } from './preview.tsx';

const PLANS = graphql(/* GraphQL */ `
  query PlansToDiscount {
    plans(first: 100, status: ACTIVE) {
      edges {
        node {
          planId
          name
          amount
          maxAmount
          mint
          asset {
            mint
            symbol
            decimals
          }
          interval
        }
      }
    }
  }
`);

const CREATE = graphql(/* GraphQL */ `
  mutation CreateDiscount($input: CreateDiscountInput!) {
    createDiscount(input: $input) {
      id
      name
    }
  }
`);

export const route = createLazyRoute('/app/discounts/new')({ component: DiscountCreatePage });

const CODE = /^[A-Za-z0-9_-]{3,40}$/;

const DEFAULTS = {
  name: '',
  code: '',
  kind: 'PERCENT' as keyof typeof text.kinds,
  percentBps: '',
  amount: '',
  mint: '',
  duration: 'SOME' as keyof typeof text.durations,
  periods: '3',
  planIds: [] as string[],
  maxRedemptions: '',
  maxPerCustomer: '',
  firstPurchaseOnly: false,
  startsAt: '',
  endsAt: '',
};

function DiscountCreatePage() {
  const navigate = useNavigate();
  const toast = useToast();
  const { data } = useQuery(askOptions(PLANS, {}));
  const plans = data?.plans.edges.map(({ node }) => node) ?? [];
  const tokens = [...new Map(plans.map(({ mint, asset }) => [mint, asset])).values()];
  const create = useChange(CREATE, {
    onDone: ({ createDiscount: { id, name } }) => {
      toast(text.created(name));
      return navigate({ to: '/discounts/$id', params: { id }, replace: true });
    },
  });
  const tokenOf = (mint: string) => tokens.find((token) => token.mint === mint) ?? tokens[0];
  const unitsOf = (typed: string, mint: string) => toBaseUnits(typed, tokenOf(mint)?.decimals ?? 0);
  const { form, errorOf, formError, submit } = useApiForm(DEFAULTS, {
    name: required(text.nameMissing),
    code: (code) => (code.trim() === '' || CODE.test(code.trim()) ? undefined : text.codeInvalid),
    percentBps: (typed, { kind }) => (kind === 'AMOUNT' || bpsOf(typed) ? undefined : text.percentInvalid),
    amount: (typed, { kind, mint }) =>
      kind === 'PERCENT' || unitsOf(typed, mint)
        ? undefined
        : planText.priceInvalid(tokenOf(mint)?.decimals ?? 0),
    periods: (typed, { duration }) =>
      duration !== 'SOME' || periodsOf(typed) ? undefined : text.periodsInvalid,
    maxRedemptions: optionalCount,
    maxPerCustomer: optionalCount,
    endsAt: (endsAt, { startsAt }) => (endsAt && endsAt < startsAt ? text.endsBeforeStart : undefined),
  });
  const values = form.watch();
  const { kind, duration } = values;
  const token = tokenOf(values.mint);
  const fitting = kind === 'AMOUNT' ? plans.filter(({ mint }) => mint === token?.mint) : plans;
  const chosen = fitting.filter(({ planId }) => values.planIds.includes(planId));
  const percentBps = kind === 'PERCENT' ? (bpsOf(values.percentBps) ?? null) : null;
  const amount = kind === 'AMOUNT' ? (unitsOf(values.amount, values.mint) ?? null) : null;
  const periods = { ONE: 1, SOME: periodsOf(values.periods), ALL: null }[duration];
  const isComplete = (percentBps !== null || amount !== null) && periods !== undefined;
  const send = async () => {
    const { from, to } = dayRange({ from: values.startsAt, to: values.endsAt });
    await create.mutateAsync({
      input: {
        name: values.name,
        code: values.code.trim() || null,
        ...(kind === 'PERCENT' ? { percentBps } : token && amount && { amount, mint: token.mint }),
        periods: periods ?? null,
        planIds: chosen.map(({ planId }) => planId),
        maxRedemptions: countOf(values.maxRedemptions) ?? null,
        maxPerCustomer: countOf(values.maxPerCustomer) ?? null,
        firstPurchaseOnly: values.firstPurchaseOnly,
        startsAt: from,
        endsAt: to,
      },
    });
  };
  return (
    <Page
      list="discounts"
      title={text.title}
      description={text.description}
      queries={[{ document: PLANS, variables: {} }]}
    >
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Card>
          <LiveForm question={text.liveQuestion} onSubmit={submit(send)} className="grid gap-5">
            <Field label={text.name} hint={text.nameHint} error={errorOf('name')}>
              {(control) => <input {...control} {...form.register('name')} autoComplete="off" />}
            </Field>
            <Field label={text.code} hint={text.codeHint} error={errorOf('code')}>
              {(control) => (
                <input
                  {...control}
                  {...form.register('code')}
                  autoComplete="off"
                  autoCapitalize="characters"
                  spellCheck={false}
                  placeholder="SPRING"
                  className={`${control.className} font-mono`}
                />
              )}
            </Field>
            <div className="grid gap-5 sm:grid-cols-2">
              <Field label={text.kind}>
                {(control) => (
                  <select {...control} {...form.register('kind')}>
                    {optionsOf(text.kinds).map(({ value, label }) => (
                      <option key={value} value={value} disabled={value === 'AMOUNT' && tokens.length === 0}>
                        {label}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
              {kind === 'PERCENT' ? (
                <Field label={text.percent} error={errorOf('percentBps')}>
                  {(control) => (
                    <input
                      {...control}
                      {...form.register('percentBps')}
                      inputMode="decimal"
                      autoComplete="off"
                      placeholder="50"
                    />
                  )}
                </Field>
              ) : (
                <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] gap-2">
                  <Field label={text.amount} hint={text.amountHint} error={errorOf('amount')}>
                    {(control) => (
                      <input
                        {...control}
                        {...form.register('amount')}
                        inputMode="decimal"
                        autoComplete="off"
                        placeholder="2.50"
                      />
                    )}
                  </Field>
                  <Field label={text.token} error={errorOf('mint')}>
                    {(control) => (
                      <select
                        {...control}
                        value={token?.mint}
                        onChange={({ target }) => form.setValue('mint', target.value)}
                      >
                        {tokens.map((asset) => (
                          <option key={asset.mint} value={asset.mint}>
                            {unitOf({ amount: '0', mint: asset.mint, asset })}
                          </option>
                        ))}
                      </select>
                    )}
                  </Field>
                </div>
              )}
            </div>
            <div className="grid gap-5 sm:grid-cols-2">
              <Field label={text.duration}>
                {(control) => (
                  <select {...control} {...form.register('duration')}>
                    {optionsOf(text.durations).map(({ value, label }) => (
                      <option key={value} value={value}>
                        {label}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
              {duration === 'SOME' && (
                <Field label={text.periods} error={errorOf('periods')}>
                  {(control) => (
                    <input {...control} {...form.register('periods')} type="number" min={1} max={1_000} />
                  )}
                </Field>
              )}
            </div>
            {fitting.length > 0 && (
              <fieldset>
                <legend className="mb-1 font-medium">{text.planIds}</legend>
                <div className="grid max-h-48 overflow-y-auto rounded-md border border-line px-3 py-1.5 sm:grid-cols-2">
                  {fitting.map(({ planId, name }) => (
                    <label key={planId} className="flex min-h-8 items-center gap-2">
                      <input
                        type="checkbox"
                        value={planId}
                        {...form.register('planIds')}
                        className="accent-accent"
                      />
                      <span className="min-w-0 wrap-anywhere">{name}</span>
                    </label>
                  ))}
                </div>
                <p className="mt-1 text-xs leading-4 text-soft">{text.plansHint}</p>
                {errorOf('planIds') && (
                  <p role="alert" className="mt-1 text-bad">
                    {errorOf('planIds')}
                  </p>
                )}
              </fieldset>
            )}
            <div className="grid gap-5 sm:grid-cols-2">
              <LimitFields register={form.register} errorOf={errorOf} />
            </div>
            <label className="flex items-center gap-2">
              <input type="checkbox" {...form.register('firstPurchaseOnly')} className="accent-accent" />
              {text.firstPurchaseOnly}
            </label>
            <div>
              <div className="grid gap-5 sm:grid-cols-2">
                {(['startsAt', 'endsAt'] as const).map((name) => (
                  <Field key={name} label={text[name]} error={errorOf(name)}>
                    {(control) => <input {...control} {...form.register(name)} type="date" />}
                  </Field>
                ))}
              </div>
              <p className="mt-1 text-xs leading-4 text-soft">{text.daysHint}</p>
            </div>
            <FormError message={formError} />
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line pt-4">
              <Link to="/discounts" className={buttonClass()}>
                {labels.cancel}
              </Link>
              <WriteButton type="submit" kind="primary" busy={form.formState.isSubmitting}>
                {text.title}
              </WriteButton>
            </footer>
          </LiveForm>
        </Card>
        <Preview
          plans={chosen.length > 0 ? chosen : fitting}
          discount={isComplete ? { percentBps, amount, periods } : undefined}
        />
      </div>
    </Page>
  );
}
