import { useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { Card } from '../../../shared/components/card.tsx';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { type Column, DataTable } from '../../../shared/components/data-table.tsx';
import { OnChain } from '../../../shared/components/on-chain.tsx';
import { StatusBadge } from '../../../shared/components/status-badge.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { refund as text } from '../../../shared/text/refunds.ts';
import { Time } from '../../../shared/time/time.tsx';
import { amountOf, type PaymentDetail, type RefundRow } from './payment.ts';
import { RefundDialog } from './refund-dialog.tsx';

const CANCEL = graphql(/* GraphQL */ `
  mutation CancelRefund($id: ID!) {
    cancelRefund(id: $id) {
      id
    }
  }
`);

/** Opens the dialog that refunds a payment. */
export function RefundButton({ payment }: { readonly payment: PaymentDetail }) {
  const [isOpen, setOpen] = useState(false);
  const isRefundable = payment.refundableAmount !== '0';
  return (
    <>
      <WriteButton
        disabled={!isRefundable}
        title={isRefundable ? undefined : text.nothingLeft}
        onClick={() => setOpen(true)}
      >
        {text.action}
      </WriteButton>
      {isOpen && <RefundDialog payment={payment} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The refunds of a payment; renders nothing if there are none. */
export function RefundsCard({ payment }: { readonly payment: PaymentDetail }) {
  const toast = useToast();
  const [sending, setSending] = useState<RefundRow>();
  const [cancelling, setCancelling] = useState<RefundRow>();
  const cancel = useChange(CANCEL, {
    onDone: () => {
      setCancelling(undefined);
      toast(text.cancelled);
    },
  });
  if (payment.refunds.length === 0) return null;
  const columns: readonly Column<RefundRow>[] = [
    { header: text.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      header: text.status,
      cell: ({ status, reason, excess }) => (
        <>
          <StatusBadge status={status} />
          {excess.map(({ signature, amount }) => (
            <span key={signature} className="block text-xs text-bad">
              {text.sentAgainHint(amountOf(payment, amount))} <OnChain kind="tx" value={signature} />
            </span>
          ))}
          {reason && <span className="block text-xs text-soft wrap-anywhere">{reason}</span>}
        </>
      ),
    },
    { header: text.amount, align: 'end', cell: ({ amount }) => amountOf(payment, amount) },
    {
      header: text.transaction,
      align: 'end',
      cell: (refund) =>
        refund.status === 'PENDING' && refund.sentSignature ? (
          <OnChain kind="tx" value={refund.sentSignature} />
        ) : refund.status === 'PENDING' ? (
          <span className="inline-flex flex-wrap justify-end gap-2">
            <WriteButton onClick={() => setSending(refund)}>
              {refund.inFlight ? text.follow : text.send}
            </WriteButton>
            <WriteButton onClick={() => setCancelling(refund)}>{text.cancel}</WriteButton>
          </span>
        ) : (
          refund.signature && <OnChain kind="tx" value={refund.signature} />
        ),
    },
  ];
  return (
    <Card title={text.list} description={text.listHint} flush>
      <DataTable
        label={text.list}
        columns={columns}
        rows={payment.refunds}
        rowKey={({ id }) => id}
        isInCard
        empty={null}
      />
      {sending && <RefundDialog payment={payment} refund={sending} onClose={() => setSending(undefined)} />}
      {cancelling && (
        <ConfirmDialog
          title={text.cancelTitle}
          action={text.cancelAction}
          busy={cancel.isPending}
          error={cancel.error?.message}
          onConfirm={() => cancel.mutate({ id: cancelling.id })}
          onClose={() => setCancelling(undefined)}
        >
          {text.cancelHint}
        </ConfirmDialog>
      )}
    </Card>
  );
}
