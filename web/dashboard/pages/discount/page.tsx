import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { askOptions } from '../../../shared/api/query.ts';
import { Card } from '../../../shared/components/card.tsx';
import { CopyButton, ShortId } from '../../../shared/components/copy-button.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { waitingTitle } from '../../../shared/components/waiting-title.ts';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { formatDiscount } from '../../../shared/money/discount-value.ts';
import { discounts, discount as text } from '../../../shared/text/discounts.ts';
import { Time } from '../../../shared/time/time.tsx';
import { MissingPage } from '../../shell/page-failed.tsx';
import { DiscountStateBadge } from '../discounts/state-badge.tsx';
import { DISCOUNT, type DiscountDetail } from './discount.ts';
import { EditDialog } from './edit-dialog.tsx';
import { SwitchDialog } from './switch-dialog.tsx';
import { Uses } from './uses.tsx';

export const route = createLazyRoute('/app/discounts/$id')({ component: DiscountPage });

const api = getRouteApi('/app/discounts/$id');

function DiscountPage() {
  const { id } = api.useParams();
  const search = api.useSearch();
  const navigate = api.useNavigate();
  const [opened, setOpened] = useState<'edit' | 'switch'>();
  const { data, error, refetch } = useQuery(
    askOptions(DISCOUNT, { id }, { live: ['subscription.created'], keepsPrevious: true }),
  );
  const discount = data?.discount;
  if (data && !discount) return <MissingPage />;
  const close = () => setOpened(undefined);
  return (
    <Page
      list="discounts"
      title={discount?.name ?? waitingTitle(error)}
      description={
        discount && (
          <span className="inline-flex flex-wrap items-center gap-2">
            <DiscountStateBadge state={discount.state} />
            <span>
              {formatDiscount(discount, discount.asset)} · {discounts.payments(discount.periods)}
            </span>
          </span>
        )
      }
      actions={
        discount && (
          <>
            <WriteButton kind="plain" onClick={() => setOpened('switch')}>
              {discount.isActive ? text.switchOff : text.switchOn}
            </WriteButton>
            <WriteButton onClick={() => setOpened('edit')}>{text.edit}</WriteButton>
          </>
        )
      }
      queries={[{ document: DISCOUNT, variables: { id } }]}
    >
      <Loaded thing={discount} error={error} onRetry={refetch}>
        {(discount) => (
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <Uses
              discount={discount}
              search={search}
              onSearch={(change, replace) => navigate({ search: change, replace })}
            />
            <div className="min-w-0 max-lg:order-first">
              <Terms discount={discount} />
            </div>
            {opened === 'edit' && <EditDialog discount={discount} onClose={close} />}
            {opened === 'switch' && <SwitchDialog discount={discount} onClose={close} />}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Terms({ discount }: { readonly discount: DiscountDetail }) {
  const { id, code, plans, periods, maxRedemptions, maxPerCustomer, taken } = discount;
  const { firstPurchaseOnly, startsAt, endsAt, createdAt } = discount;
  return (
    <Card title={text.terms}>
      <Facts
        facts={[
          {
            label: text.code,
            value:
              code === null ? (
                discounts.noCode
              ) : (
                <span className="inline-flex items-center gap-0.5">
                  <code className="font-mono text-[0.8125rem] wrap-anywhere">{code}</code>
                  <CopyButton text={code} />
                </span>
              ),
          },
          { label: discounts.value, value: formatDiscount(discount, discount.asset) },
          { label: text.payments, value: discounts.payments(periods) },
          {
            label: discounts.plans,
            value:
              plans.length === 0
                ? discounts.allPlans
                : plans.map(({ planId, name }) => (
                    <Link key={planId} to="/plans/$planId" params={{ planId }} className="block">
                      {name}
                    </Link>
                  )),
          },
          { label: discounts.used, value: discounts.usedOf(taken, maxRedemptions) },
          { label: text.perCustomer, value: maxPerCustomer },
          { label: text.customers, value: firstPurchaseOnly && text.firstPurchaseOnly },
          { label: discounts.from, value: startsAt && <Time at={startsAt} /> },
          { label: discounts.until, value: endsAt ? <Time at={endsAt} /> : discounts.always },
          { label: text.created, value: <Time at={createdAt} /> },
          { label: text.id, value: <ShortId value={id} /> },
        ]}
      />
    </Card>
  );
}
