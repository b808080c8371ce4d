import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ReceivingAccountsCardQuery } from '../../../generated/graphql.ts';
import { ask } from '../../../shared/api/ask.ts';
import { environment } from '../../../shared/api/environment.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions, useChange } from '../../../shared/api/query.ts';
import { usePermissions } from '../../../shared/api/viewer.ts';
import { Badge, type Tone } from '../../../shared/components/badge.tsx';
import { Button } from '../../../shared/components/button.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { type Column, DataTable } from '../../../shared/components/data-table.tsx';
import { Dialog } from '../../../shared/components/dialog.tsx';
import { ErrorPanel } from '../../../shared/components/error-panel.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { OnChain } from '../../../shared/components/on-chain.tsx';
import { SignTransaction } from '../../../shared/components/sign-transaction.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { formatAmount, unitOf } from '../../../shared/money/token-amount.ts';
import { labels } from '../../../shared/text/labels.ts';
import { receiving as text } from '../../../shared/text/receiving.ts';
import { receivingStates } from '../../../shared/text/statuses.ts';
import { FormCard } from './form-card.tsx';

export const RECEIVING_ACCOUNTS = graphql(/* GraphQL */ `
  query ReceivingAccountsCard {
    receivingAccounts {
      asset {
        mint
        symbol
        decimals
      }
      count
      accounts {
        number
        address
        state
        isUsed
        balance
      }
    }
  }
`);

const SET_COUNT = graphql(/* GraphQL */ `
  mutation SetReceivingAccounts($mint: String!, $count: Int!) {
    setReceivingAccounts(mint: $mint, count: $count) {
      count
    }
  }
`);

const CREATE = graphql(/* GraphQL */ `
  mutation CreateReceivingAccounts($mint: String!) {
    receivingAccountsTransaction(mint: $mint) {
      transaction
    }
  }
`);

const SWEEP = graphql(/* GraphQL */ `
  mutation SweepReceivingAccounts($mint: String!) {
    sweepReceivingAccountsTransaction(mint: $mint) {
      transaction
    }
  }
`);

type Token = ReceivingAccountsCardQuery['receivingAccounts'][number];
type Account = Token['accounts'][number];

/** The API's maximum. */
const MAX_ACCOUNTS = 8;
/** Nothing reports a change of these accounts, so it is asked for. */
const INTERVAL_MS = 2_000;

/** For each token of the merchant's plans, the accounts in which payments are received. */
export function ReceivingCards({ walletAddress }: { readonly walletAddress: string }) {
  const { data, error, refetch } = useQuery(askOptions(RECEIVING_ACCOUNTS, {}));
  if (error && !data) {
    return (
      <Card title={text.title}>
        <ErrorPanel error={error} onRetry={refetch} />
      </Card>
    );
  }
  return data?.receivingAccounts.map((token) => (
    // The form begins again with what was saved.
    <ReceivingCard key={`${token.asset.mint} ${token.count}`} token={token} walletAddress={walletAddress} />
  ));
}

interface CardProps {
  readonly token: Token;
  readonly walletAddress: string;
}

function ReceivingCard({ token, walletAddress }: CardProps) {
  const { asset, count, accounts } = token;
  const permissions = usePermissions();
  const toast = useToast();
  const [signing, setSigning] = useState<'create' | 'sweep'>();
  const set = useChange(SET_COUNT, { onDone: () => toast(text.saved) });
  const apiForm = useApiForm({ count: String(count) });
  const { form, errorOf } = apiForm;
  const unit = unitOf({ amount: '0', mint: asset.mint, asset });
  const columns: readonly Column<Account>[] = [
    { header: text.number, cell: ({ number }) => number },
    { header: text.address, cell: ({ address }) => <OnChain kind="address" value={address} /> },
    {
      header: text.state,
      cell: ({ state, isUsed }) => (
        <Badge tone={toneOf(state, isUsed)}>
          {state === 'READY' && !isUsed ? text.unused : receivingStates[state]}
        </Badge>
      ),
    },
    {
      header: text.balance,
      align: 'end',
      cell: ({ balance }) => formatAmount({ amount: balance, mint: asset.mint, asset }),
    },
  ];
  return (
    <>
      <FormCard
        title={text.titleOf(unit)}
        description={text.hint(environment.toUpperCase())}
        apiForm={apiForm}
        forbidden={permissions.write ? undefined : labels.readOnly}
        question={text.liveQuestion}
        send={({ count: chosen }) => set.mutateAsync({ mint: asset.mint, count: Number(chosen) })}
      >
        <div className="max-w-xs">
          <Field label={text.count} error={errorOf('count')}>
            {(control) => (
              <select {...control} {...form.register('count')}>
                {Array.from({ length: MAX_ACCOUNTS }, (_, index) => index + 1).map((number) => (
                  <option key={number} value={number}>
                    {text.accounts(number)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <DataTable
          label={text.titleOf(unit)}
          columns={columns}
          rows={accounts}
          rowKey={({ address }) => address}
          empty={null}
        />
        <div className="flex flex-wrap gap-2">
          {missingOf(token).length > 0 && (
            <Button onClick={() => setSigning('create')}>{text.create(missingOf(token).length)}</Button>
          )}
          {filledOf(token).length > 0 && <Button onClick={() => setSigning('sweep')}>{text.sweep}</Button>}
        </div>
      </FormCard>
      {signing && (
        <SignDialog
          change={signing}
          token={token}
          walletAddress={walletAddress}
          onClose={() => setSigning(undefined)}
        />
      )}
    </>
  );
}

interface SignDialogProps extends CardProps {
  readonly change: 'create' | 'sweep';
  readonly onClose: () => void;
}

/** Asks the merchant's wallet to create accounts or to move their tokens, until nothing is left to do. */
function SignDialog({ change, token, walletAddress, onClose }: SignDialogProps) {
  const toast = useToast();
  useQuery({ ...askOptions(RECEIVING_ACCOUNTS, {}), refetchInterval: INTERVAL_MS });
  const { mint } = token.asset;
  const isCreation = change === 'create';
  const [opened] = useState(token);
  const left = isCreation ? missingOf(token).length : notSwept(opened, token).length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the last change closes it
  useEffect(() => {
    if (left > 0) return;
    toast(isCreation ? text.created : text.swept);
    onClose();
  }, [left]);
  const title = isCreation ? text.create(left) : text.sweep;
  const hint = isCreation ? text.createHint : text.sweepHint;
  return (
    <Dialog title={title} description={hint} onClose={onClose}>
      <SignTransaction
        // One transaction creates four accounts: the next one is signed after it was seen.
        key={left}
        signer={walletAddress}
        action={title}
        effect={hint}
        readTransaction={async () =>
          isCreation
            ? (await ask(CREATE, { mint })).receivingAccountsTransaction.transaction
            : (await ask(SWEEP, { mint })).sweepReceivingAccountsTransaction.transaction
        }
      />
    </Dialog>
  );
}

const missingOf = ({ accounts }: Token) => accounts.filter(({ state }) => state === 'MISSING');
/** The accounts whose tokens can be moved into the first one. */
const filledOf = ({ accounts }: Token) =>
  accounts.filter(({ number, state, balance }) => number > 1 && balance !== '0' && state !== 'FROZEN');

/** The accounts that still have all tokens that they had. Payments may arrive after a sweep. */
function notSwept(opened: Token, token: Token): readonly Account[] {
  const now = new Map(token.accounts.map(({ address, balance }) => [address, BigInt(balance)]));
  return filledOf(opened).filter(({ address, balance }) => (now.get(address) ?? 0n) >= BigInt(balance));
}

function toneOf(state: Account['state'], isUsed: boolean): Tone {
  if (isUsed) return 'good';
  return state === 'READY' || state === 'MISSING' ? 'neutral' : 'warn';
}
