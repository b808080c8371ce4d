import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import type { ReceiptRowsQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { dayRange } from '../../../shared/api/search-params.ts';
import { RECEIPT, useReceiptUpdates } from '../../../shared/api/use-receipt-updates.ts';
import { buttonClass } from '../../../shared/components/button.tsx';
import { type Column, rowLinkClass } from '../../../shared/components/data-table.tsx';
import type { Filter } from '../../../shared/components/filter-bar.tsx';
import { dayFilters, isSubscription } from '../../../shared/components/filter-options.ts';
import { ListPage } from '../../../shared/components/list-page.tsx';
import { useList } from '../../../shared/components/use-list.ts';
import { Amount } from '../../../shared/money/amount.tsx';
import type { TokenAsset } from '../../../shared/money/assets.ts';
import { formatAmount } from '../../../shared/money/token-amount.ts';
import { receipts as text } from '../../../shared/text/receipts.ts';
import { DateOnly } from '../../../shared/time/time.tsx';

const RECEIPTS = graphql(/* GraphQL */ `
  query ReceiptRows($filter: ReceiptFilter, $first: Int, $after: String, $last: Int, $before: String) {
    receipts(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
      totalCount
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
      edges {
        node {
          number
          issuedAt
          url
          pdfUrl
          document
          payment {
            id
            refundedAmount
          }
        }
      }
    }
  }
`);

type Receipt = ReceiptRowsQuery['receipts']['edges'][number]['node'];

export const route = createLazyRoute('/app/receipts')({ component: ReceiptsPage });

const api = getRouteApi('/app/receipts');

/**
 * The used fields of a receipt, see docs/receipts.md. They are shown instead of the current names
 * of plan and customer, which may have changed.
 */
interface ReceiptDocument {
  readonly buyer: {
    readonly legalName: string | null;
    readonly email: string | null;
    readonly wallet: string;
  };
  readonly plan: { readonly name: string };
  readonly paymentNumber: number;
  readonly amount: TokenAsset & { readonly baseUnits: string };
}

const documentOf = ({ document }: Receipt) => document as ReceiptDocument;

function tokensOf(receipt: Receipt, amount: string) {
  const asset = documentOf(receipt).amount;
  return { amount, mint: asset.mint, asset };
}

const COLUMNS: readonly Column<Receipt>[] = [
  {
    header: text.number,
    cell: ({ number, url }) => (
      <a href={url} className={`${rowLinkClass} whitespace-nowrap`}>
        {text.open(number)}
      </a>
    ),
  },
  {
    header: text.customer,
    cell: (receipt) => {
      const { legalName, email, wallet } = documentOf(receipt).buyer;
      return (
        <>
          {email ?? wallet}
          {legalName && <span className="block text-xs text-soft">{legalName}</span>}
        </>
      );
    },
  },
  {
    header: text.payment,
    cell: (receipt) => {
      const { plan, paymentNumber } = documentOf(receipt);
      return (
        <Link to="/payments/$id" params={{ id: receipt.payment.id }}>
          {text.paymentOf(plan.name, paymentNumber)}
        </Link>
      );
    },
  },
  { header: text.issued, cell: ({ issuedAt }) => <DateOnly at={issuedAt} /> },
  {
    header: text.pdf,
    cell: ({ number, pdfUrl }) =>
      pdfUrl ? (
        <a href={pdfUrl} aria-label={text.pdfOf(number)} className="whitespace-nowrap">
          {text.pdf}
        </a>
      ) : (
        <span className="text-soft" title={text.noPdf}>
          –
        </span>
      ),
  },
  {
    header: text.total,
    align: 'end',
    cell: (receipt) => {
      const { refundedAmount } = receipt.payment;
      return (
        <>
          <Amount {...tokensOf(receipt, documentOf(receipt).amount.baseUnits)} />
          {refundedAmount !== '0' && (
            <span className="block text-xs text-soft">
              {text.refunded(formatAmount(tokensOf(receipt, refundedAmount)))}
            </span>
          )}
        </>
      );
    },
  },
];

const FILTERS: readonly Filter<'number' | 'customer' | 'subscription' | 'from' | 'to'>[] = [
  { name: 'number', kind: 'text', label: text.number, isShort: true },
  { name: 'customer', kind: 'text', label: text.customer, placeholder: text.customerPlaceholder },
  {
    name: 'subscription',
    kind: 'text',
    label: text.subscription,
    placeholder: text.subscriptionPlaceholder,
    isWhole: isSubscription,
  },
  ...dayFilters(text),
];

/** The greatest Int of GraphQL. */
const MAX_INT = 2 ** 31 - 1;

/** Parses a receipt number. Invalid text gives 0, which no receipt has, so nothing is found. */
function parseReceiptNumber(typed: string | undefined): number | null {
  if (typed === undefined) return null;
  const number = /^\d+$/.test(typed) ? Number(typed) : 0;
  return number <= MAX_INT ? number : 0;
}

function ReceiptsPage() {
  const search = api.useSearch();
  const navigate = api.useNavigate();
  useReceiptUpdates();
  const filters = {
    customer: search.customer ?? null,
    subscriptionId: search.subscription ?? null,
    ...dayRange(search),
  };
  const list = useList({
    document: RECEIPTS,
    variables: { filter: { number: parseReceiptNumber(search.number), ...filters } },
    connectionOf: ({ receipts }) => receipts,
    live: [RECEIPT, 'payment.'],
    search,
    onSearch: (change, replace) => navigate({ search: change, replace }),
  });
  return (
    <ListPage
      name="receipts"
      list={list}
      text={text}
      filters={FILTERS}
      columns={COLUMNS}
      rowKey={({ number }) => String(number)}
      exported={{ kind: 'receipts', filters: { number: search.number, ...filters } }}
      icon="receipt"
      begin={
        <Link to="/settings" className={buttonClass('primary')}>
          {text.toSettings}
        </Link>
      }
    />
  );
}
