import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router';
import { INTERVAL_SECONDS } from '../../../../src/domain/catalog/money/interval.ts';
import type { RetryPolicy } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions, useChange } from '../../../shared/api/query.ts';
import { usePermissions } from '../../../shared/api/viewer.ts';
import { buttonClass } from '../../../shared/components/button.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { optionalAddress, required } from '../../../shared/components/form-checks.ts';
import { FormError } from '../../../shared/components/form-error.tsx';
import { GraceField } from '../../../shared/components/grace-field.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { RetryField } from '../../../shared/components/retry-field.tsx';
import { SpreadField } from '../../../shared/components/spread-field.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { toBaseUnits } from '../../../shared/money/base-units.ts';
import { formatAmount } from '../../../shared/money/token-amount.ts';
import { grace as graceText } from '../../../shared/text/grace.ts';
import { labels } from '../../../shared/text/labels.ts';
import { plan as text } from '../../../shared/text/plan.ts';
import { Preview } from '../plan/preview.tsx';
import { PlanSteps } from '../plan/steps.tsx';
import { DurationField } from './duration-field.tsx';
import { planIdOf } from './plan-id.ts';

const ASSETS = graphql(/* GraphQL */ `
  query PlanAssets {
    assets {
      mint
      symbol
      name
      decimals
      isDefault
    }
    plans(first: 1) {
      totalCount
    }
    settings {
      graceSeconds
    }
  }
`);

const CREATE = graphql(/* GraphQL */ `
  mutation CreatePlanDraft($input: CreatePlanInput!) {
    createPlan(input: $input) {
      plan {
        planId
        name
      }
    }
  }
`);

export const route = createLazyRoute('/app/plans/new')({ component: PlanCreatePage });

const DAY = 86_400;
const INTERVALS = [INTERVAL_SECONDS.MONTH, INTERVAL_SECONDS.QUARTER, INTERVAL_SECONDS.YEAR, 7 * DAY, DAY];
const TRIALS = [0, 7 * DAY, 14 * DAY, 30 * DAY];
const OTHER = 'other';
/** For the first plan, unless the settings have a grace. */
const RECOMMENDED_GRACE = 3 * DAY;

function PlanCreatePage() {
  const navigate = useNavigate();
  const toast = useToast();
  const permissions = usePermissions();
  const { data } = useQuery(askOptions(ASSETS, {}));
  const assets = data?.assets ?? [];
  const create = useChange(CREATE, {
    onDone: ({ createPlan: { plan } }) => {
      toast(text.created(plan.name));
      return navigate({ to: '/plans/$planId', params: { planId: plan.planId }, replace: true });
    },
  });
  // Until a token is chosen, it is the default one, which may still be loading.
  const tokenOf = (chosen: string) =>
    chosen || (assets.find(({ isDefault }) => isDefault) ?? assets[0])?.mint || '';
  const assetOf = (chosen: string) => assets.find(({ mint }) => mint === tokenOf(chosen));
  const unitsOf = (typed: string, chosen: string) => toBaseUnits(typed, assetOf(chosen)?.decimals ?? 0);
  const defaults = {
    name: '',
    planId: '',
    description: '',
    imageUrl: '',
    amount: '',
    maxAmount: '',
    token: '',
    mint: '',
    interval: INTERVAL_SECONDS.MONTH,
    trialPeriodSeconds: 0,
    graceSeconds: undefined as number | null | undefined,
    retryPolicy: 'QUICK' as RetryPolicy,
    collectWithinSeconds: 0,
  };
  const { form, errorOf, formError, submit } = useApiForm(defaults, {
    name: required(text.nameMissing),
    amount: (_, values) =>
      unitsOf(values.amount, values.token)
        ? undefined
        : text.priceInvalid(assetOf(values.token)?.decimals ?? 0),
    maxAmount: (typed, values) => {
      const amount = unitsOf(values.amount, values.token);
      const limit = unitsOf(typed, values.token);
      if (typed.trim() === '') return undefined;
      if (!limit) return text.priceInvalid(assetOf(values.token)?.decimals ?? 0);
      return amount && BigInt(limit) < BigInt(amount) ? text.limitInvalid : undefined;
    },
    mint: (mint, { token }) => (token === OTHER && mint.trim() === '' ? text.mintMissing : undefined),
    imageUrl: optionalAddress,
    // The id follows the name, so a missing name is the only error of both.
    planId: (planId, { name }) => (name.trim() === '' ? undefined : required(text.planIdMissing)(planId)),
  });
  const values = form.watch();
  const token = tokenOf(values.token);
  const asset = assetOf(values.token);
  const amount = unitsOf(values.amount, values.token);
  const limit = values.maxAmount.trim() === '' ? amount : unitsOf(values.maxAmount, values.token);
  const isRecommended = data?.plans.totalCount === 0 && data.settings.graceSeconds === 0;
  const graceSeconds =
    values.graceSeconds === undefined ? (isRecommended ? RECOMMENDED_GRACE : null) : values.graceSeconds;
  const shown = (units: string | undefined) =>
    units === undefined ? undefined : formatAmount({ amount: units, mint, ...(asset && { asset }) });
  const mint = token === OTHER ? values.mint.trim() : token;

  const send = async () => {
    if (amount === undefined) return;
    const { planId, name, description, imageUrl, interval, trialPeriodSeconds, retryPolicy } = values;
    const { collectWithinSeconds } = values;
    await create.mutateAsync({
      input: {
        planId,
        name,
        amount,
        maxAmount: limit ?? null,
        mint,
        interval,
        trialPeriodSeconds,
        graceSeconds,
        retryPolicy,
        collectWithinSeconds,
        description: description || null,
        imageUrl: imageUrl || null,
      },
    });
  };
  const nameField = form.register('name', {
    onChange: ({ target }) => {
      // The id follows the name until the member edits it.
      if (!form.formState.dirtyFields.planId) form.setValue('planId', planIdOf(target.value));
    },
  });
  // Read here, because the form tracks only the state that is read during rendering.
  void form.formState.dirtyFields.planId;
  return (
    <Page
      title={text.createTitle}
      description={text.createDescription}
      queries={[{ document: ASSETS, variables: {} }]}
    >
      <PlanSteps current="terms" />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Card>
          <form onSubmit={submit(send)} noValidate className="grid gap-5">
            <Field label={text.name} hint={text.nameHint} error={errorOf('name')}>
              {(control) => <input {...control} {...nameField} autoComplete="off" />}
            </Field>
            <div className="grid gap-5 sm:grid-cols-2">
              <Field
                label={text.price}
                hint={token === OTHER ? text.priceUnitsHint : text.priceHint}
                error={errorOf('amount')}
              >
                {(control) => (
                  <input
                    {...control}
                    {...form.register('amount')}
                    inputMode="decimal"
                    autoComplete="off"
                    placeholder={token === OTHER ? '1000000' : '9.99'}
                  />
                )}
              </Field>
              <Field label={text.token} error={token === OTHER ? undefined : errorOf('mint')}>
                {(control) => (
                  <select
                    {...control}
                    value={token}
                    onChange={({ target }) => form.setValue('token', target.value)}
                  >
                    {assets.map(({ mint, symbol, name }) => (
                      <option key={mint} value={mint}>
                        {symbol ? `${symbol} (${name ?? symbol})` : mint}
                      </option>
                    ))}
                    <option value={OTHER}>{text.otherToken}</option>
                  </select>
                )}
              </Field>
            </div>
            <Field label={text.limit} hint={text.limitHint} error={errorOf('maxAmount')}>
              {(control) => (
                <input
                  {...control}
                  {...form.register('maxAmount')}
                  inputMode="decimal"
                  autoComplete="off"
                  placeholder={values.amount}
                />
              )}
            </Field>
            {token === OTHER && (
              <Field label={text.mint} hint={text.mintHint} error={errorOf('mint')}>
                {(control) => <input {...control} {...form.register('mint')} autoComplete="off" />}
              </Field>
            )}
            <div className="grid gap-5 sm:grid-cols-2">
              <DurationField
                label={text.interval}
                error={errorOf('interval')}
                presets={INTERVALS}
                value={values.interval}
                onChange={(seconds) => form.setValue('interval', seconds)}
              />
              <DurationField
                label={text.trial}
                error={errorOf('trialPeriodSeconds')}
                presets={TRIALS}
                none={text.noTrial}
                value={values.trialPeriodSeconds}
                onChange={(seconds) => form.setValue('trialPeriodSeconds', seconds)}
              />
            </div>
            <RetryField
              error={errorOf('retryPolicy')}
              value={values.retryPolicy}
              onChange={(policy) => form.setValue('retryPolicy', policy)}
            />
            <GraceField
              hint={isRecommended ? graceText.recommended : graceText.hint}
              error={errorOf('graceSeconds')}
              value={graceSeconds}
              ofEnvironment={data?.settings.graceSeconds ?? 0}
              onChange={(seconds) => form.setValue('graceSeconds', seconds)}
            />
            <SpreadField
              error={errorOf('collectWithinSeconds')}
              value={values.collectWithinSeconds}
              interval={values.interval}
              onChange={(seconds) => form.setValue('collectWithinSeconds', seconds)}
            />
            <Field label={text.description} hint={text.descriptionHint} error={errorOf('description')}>
              {(control) => <textarea {...control} {...form.register('description')} rows={3} />}
            </Field>
            <Field label={text.imageUrl} hint={text.imageUrlHint} error={errorOf('imageUrl')}>
              {(control) => (
                <input {...control} {...form.register('imageUrl')} type="url" placeholder="https://" />
              )}
            </Field>
            <Field label={text.planId} hint={text.planIdHint} error={errorOf('planId')}>
              {(control) => (
                <input
                  {...control}
                  {...form.register('planId')}
                  autoComplete="off"
                  spellCheck={false}
                  className={`${control.className} font-mono`}
                />
              )}
            </Field>
            <FormError message={formError} />
            <footer className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
              <p className="max-w-72 text-xs text-soft">
                {permissions.write ? text.fixedHint : labels.readOnly}
              </p>
              <div className="flex gap-2">
                <Link to="/plans" className={buttonClass()}>
                  {labels.cancel}
                </Link>
                <WriteButton type="submit" kind="primary" busy={form.formState.isSubmitting}>
                  {text.createDraft}
                </WriteButton>
              </div>
            </footer>
          </form>
        </Card>
        <Preview
          name={values.name}
          description={values.description}
          price={shown(amount)}
          limit={shown(limit)}
          isAbovePrice={amount !== undefined && limit !== undefined && BigInt(limit) > BigInt(amount)}
          intervalSeconds={values.interval}
          trialPeriodSeconds={values.trialPeriodSeconds}
        />
      </div>
    </Page>
  );
}
