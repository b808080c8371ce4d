import { setTimeout as wait } from 'node:timers/promises';
import type { Address } from '@solana/kit';
import type { AppContext } from '../../../../app.ts';
import { inChunks } from '../../../../async/in-chunks.ts';
import { decodePlan, decodeSubscription } from '../../../../chain/accounts/accounts.ts';
import { PROGRAM } from '../../../../chain/accounts/addresses.ts';
import { collectorAddresses } from '../../../../chain/accounts/collectors.ts';
import { readAccounts } from '../../../../chain/accounts/read-accounts.ts';
import type { Chain } from '../../../../chain/chain.ts';
import type { Plan, Subscription } from '../../../../generated/prisma/client.ts';
import { observedChange } from '../../../billing/lifecycle/observed-change.ts';
import { lastReasons } from '../../../billing/read/last-reason.ts';
import { differingTerms, publishedState } from '../../../catalog/plan/published-state.ts';
import type { RowScope } from './row-check.ts';

const ROWS_PER_PAGE = 500;
/** Delay of the second look: longer than the indexer needs for a change that was just confirmed. */
const RECHECK_DELAY_MS = 3_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The terms of a plan on chain that nobody can change. */
const FIXED_TERMS = ['chainPlanId', 'mint', 'maxAmount', 'interval'];

/** A row that differs from its account on chain. */
export interface ChainDifference {
  readonly id: string;
  readonly detail: string;
}

/** A kind of rows, page by page, and how a page is compared with the chain. */
interface ChainCheck {
  readonly name: string;
  readonly problem: string;
  readonly differ: (where: IdFilter) => Promise<Compared>;
}
interface Compared {
  /** Undefined after the last page. */
  readonly lastId: string | undefined;
  readonly found: ChainDifference[];
}

type IdFilter = { readonly gt: string } | { readonly in: string[] };

/** The comparisons of plans and running subscriptions with their accounts on chain. */
export function chainChecks(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  chain: Chain,
  { environment, merchantId }: RowScope,
): ChainCheck[] {
  const scope = { environment, ...(merchantId !== undefined && { merchantId }) };
  const page = { orderBy: { id: 'asc' }, take: ROWS_PER_PAGE } as const;
  return [
    {
      name: 'plan.chain',
      problem: 'The plan differs from its account on chain.',
      async differ(id) {
        const plans = await db.plan.findMany({
          where: { ...scope, id, status: { not: 'DRAFT' } },
          include: { merchant: true },
          ...page,
        });
        const accounts = await programAccounts(chain, plans);
        const found = plans.flatMap((plan, index) => planDifference(plan, accounts[index]));
        return { lastId: plans.at(-1)?.id, found };
      },
    },
    {
      name: 'subscription.chain',
      problem: 'The status of the subscription differs from its account on chain.',
      async differ(id) {
        const subscriptions = await db.subscription.findMany({
          where: { ...scope, id, closedAt: null },
          include: { plan: true },
          ...page,
        });
        const accounts = await programAccounts(chain, subscriptions);
        const reasons = await lastReasons(
          db,
          subscriptions.map((subscription) => subscription.id),
        );
        const found = subscriptions.flatMap((subscription, index) =>
          subscriptionDifference(subscription, reasons.get(subscription.id), accounts[index]),
        );
        return { lastId: subscriptions.at(-1)?.id, found };
      },
    },
  ];

  function planDifference(
    plan: Plan & { readonly merchant: { readonly walletAddress: string } },
    data: Uint8Array | null | undefined,
  ): ChainDifference[] {
    const { id, status, merchant } = plan;
    if (!data) return status === 'ACTIVE' ? [{ id, detail: 'it has no account' }] : [];
    const account = decodePlan(data);
    const parties = { merchantWallet: merchant.walletAddress, collectors: collectorAddresses(chain) };
    const terms = differingTerms(plan, account, parties);
    // The owner of the plan may change the other terms. Then the plan is inactive.
    const fixed = terms.filter((term) => FIXED_TERMS.includes(term));
    const isOpen = terms.length === 0 && publishedState(account, clock.now()).status === 'ACTIVE';
    const isWrong = fixed.length === 0 && (status === 'ACTIVE') !== isOpen;
    const differing = [...fixed, ...(isWrong ? [`status ${status}`] : [])];
    return differing.length > 0 ? [{ id, detail: differing.join(', ') }] : [];
  }
}

function subscriptionDifference(
  subscription: Subscription & { readonly plan: Plan },
  reason: string | undefined,
  data: Uint8Array | null | undefined,
): ChainDifference[] {
  const { id, walletAddress, plan } = subscription;
  if (!data) return [{ id, detail: 'its account is closed' }];
  const account = decodeSubscription(data);
  const change = observedChange(subscription, reason, account).kind;
  const differing = [
    ...(account.subscriber === walletAddress ? [] : ['wallet']),
    ...(account.plan === plan.address ? [] : ['plan']),
    ...(change === 'nothing' ? [] : [`status ${subscription.status} (${change})`]),
  ];
  return differing.length > 0 ? [{ id, detail: differing.join(', ') }] : [];
}

/** The data of the accounts of the program at these addresses; null where there is none. */
async function programAccounts(
  chain: Chain,
  rows: readonly { readonly address: string }[],
): Promise<(Uint8Array | null)[]> {
  const accounts = await readAccounts(
    chain,
    rows.map(({ address }) => address as Address),
    'program',
  );
  return accounts.map((account) => (account?.owner === PROGRAM ? new Uint8Array(account.data) : null));
}

/** Runs the comparisons over all rows, and looks again at the rows that differ. */
export async function differencesWithChain(
  checks: readonly ChainCheck[],
  onRule: (name: string) => void,
): Promise<readonly (ChainCheck & { readonly rows: readonly ChainDifference[] })[]> {
  const first = [];
  for (const check of checks) first.push({ ...check, rows: await differencesOf(check, onRule) });
  if (first.every(({ rows }) => rows.length === 0)) return first;
  await wait(RECHECK_DELAY_MS);
  const again = [];
  for (const check of first) again.push({ ...check, rows: await lookAgain(check, check.rows) });
  return again;
}

async function differencesOf(
  { name, differ }: ChainCheck,
  onRule: (name: string) => void,
): Promise<ChainDifference[]> {
  const rows: ChainDifference[] = [];
  for (let after: string | undefined = FIRST_ID; after !== undefined; ) {
    onRule(name);
    const { found, lastId }: Compared = await differ({ gt: after });
    for (const difference of found) rows.push(difference);
    after = lastId;
  }
  return rows;
}

async function lookAgain(
  { differ }: ChainCheck,
  rows: readonly ChainDifference[],
): Promise<ChainDifference[]> {
  const still: ChainDifference[] = [];
  for (const chunk of inChunks(rows, ROWS_PER_PAGE)) {
    const { found } = await differ({ in: chunk.map(({ id }) => id) });
    for (const difference of found) still.push(difference);
  }
  return still;
}
