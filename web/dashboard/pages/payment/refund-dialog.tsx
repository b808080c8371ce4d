import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ask } from '../../../shared/api/ask.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { Button, buttonClass, Spinner } from '../../../shared/components/button.tsx';
import { CopyButton } from '../../../shared/components/copy-button.tsx';
import { Dialog } from '../../../shared/components/dialog.tsx';
import { OnChain } from '../../../shared/components/on-chain.tsx';
import { QrCode } from '../../../shared/components/qr-code.tsx';
import { SignTransaction } from '../../../shared/components/sign-transaction.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { refund as text } from '../../../shared/text/refunds.ts';
import { CreateRefundForm } from './create-refund-form.tsx';
import { amountOf, type PaymentDetail, type RefundRow } from './payment.ts';
import { Receiver } from './receiver.tsx';

const TRANSACTION = graphql(/* GraphQL */ `
  mutation RefundTransaction($id: ID!) {
    refundTransaction(id: $id) {
      transaction
    }
  }
`);

const IN_FLIGHT = graphql(/* GraphQL */ `
  query RefundInFlight($id: ID!) {
    refund(id: $id) {
      status
      inFlight
    }
  }
`);

/** Nothing reports that a transaction expired, so it is asked for. */
const IN_FLIGHT_INTERVAL_MS = 4_000;

interface RefundDialogProps {
  readonly payment: PaymentDetail;
  /** A pending refund to send; without one, a refund is created first. */
  readonly refund?: RefundRow | undefined;
  readonly onClose: () => void;
}

/** Creates a refund, and asks the merchant's wallet to send it. It closes when that is final. */
export function RefundDialog({ payment, refund: pending, onClose }: RefundDialogProps) {
  const [id, setId] = useState(pending?.id);
  const toast = useToast();
  const refund = payment.refunds.find((row) => row.id === id);
  const isDone = refund?.status === 'SUCCEEDED';
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the final refund closes it
  useEffect(() => {
    if (!isDone) return;
    toast(text.done);
    onClose();
  }, [isDone]);
  return (
    <Dialog
      title={refund ? text.sendTitle(amountOf(payment, refund.amount)) : text.title}
      description={refund ? text.sendHint : text.hint}
      onClose={onClose}
    >
      {refund ? (
        <div className="grid gap-4">
          <Receiver payment={payment} />
          <SendParts payment={payment} refund={refund} />
        </div>
      ) : (
        <CreateRefundForm payment={payment} onCreated={setId} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** The newest transaction of the dialog. */
type Sending = 'none' | 'requested' | 'sent' | 'expired';

/**
 * The ways to send a refund, one at a time: two transfers would pay the customer twice. Once a
 * transaction was requested or a transfer was seen, the code is gone. While a sent transaction may
 * land, nothing is offered.
 */
function SendParts({ payment, refund }: { readonly payment: PaymentDetail; readonly refund: RefundRow }) {
  const { id, solanaPayUrl, sentSignature, inFlight } = refund;
  const client = useQueryClient();
  const [isOnPhone, setOnPhone] = useState(false);
  const [sending, setSending] = useState<Sending>(inFlight ? 'sent' : 'none');
  const [signature, setSignature] = useState<string>();
  const amount = amountOf(payment, refund.amount);
  if (sentSignature || sending === 'sent') {
    return (
      <Sent
        id={id}
        signature={sentSignature ?? signature}
        isSeen={sentSignature !== null}
        onExpired={() => setSending('expired')}
      />
    );
  }
  if (isOnPhone && solanaPayUrl) {
    return (
      <section className="grid justify-items-start gap-3">
        <h3 className="font-medium">{text.onPhone}</h3>
        <p className="text-soft">{text.onPhoneHint}</p>
        <QrCode text={solanaPayUrl} label={text.qr} />
        <p className="flex flex-wrap items-center gap-2">
          <a href={solanaPayUrl} className={buttonClass()}>
            {text.open}
          </a>
          <CopyButton text={solanaPayUrl} />
          <Button onClick={() => setOnPhone(false)}>{text.inBrowser}</Button>
        </p>
      </section>
    );
  }
  return (
    <div className="grid justify-items-start gap-4">
      {sending === 'expired' && <p role="status">{text.expired}</p>}
      <SignTransaction
        signer={payment.subscription.plan.merchant.walletAddress}
        action={text.sendTitle(amount)}
        effect={text.effect(amount)}
        danger
        readTransaction={async () => {
          const { refundTransaction } = await ask(TRANSACTION, { id });
          setSending('requested');
          // The list of refunds says so too, in case the dialog is closed now.
          void client.invalidateQueries();
          return refundTransaction.transaction;
        }}
        onSent={(sent) => {
          setSignature(sent);
          setSending('sent');
        }}
      />
      {solanaPayUrl && sending === 'none' && <Button onClick={() => setOnPhone(true)}>{text.onPhone}</Button>}
    </div>
  );
}

interface SentProps {
  readonly id: string;
  /** Undefined if another page sent it, or only requested it. */
  readonly signature: string | undefined;
  /** Whether the service has seen the transfer, which can then no longer expire. */
  readonly isSeen: boolean;
  readonly onExpired: () => void;
}

/** Says that the refund was sent, until the service knows that its transaction cannot land. */
function Sent({ id, signature, isSeen, onExpired }: SentProps) {
  const { data } = useQuery({
    ...askOptions(IN_FLIGHT, { id }),
    enabled: !isSeen,
    refetchInterval: IN_FLIGHT_INTERVAL_MS,
    // An answer from before the transaction says nothing about it.
    gcTime: 0,
  });
  const isExpired = data?.refund?.status === 'PENDING' && !data.refund.inFlight;
  // biome-ignore lint/correctness/useExhaustiveDependencies: reported once
  useEffect(() => {
    if (isExpired) onExpired();
  }, [isExpired]);
  return (
    <div className="grid justify-items-start gap-2">
      <p role="status" className="flex items-center gap-2">
        <Spinner />
        {signature ? text.sent : text.mayLand}
      </p>
      {signature && <OnChain kind="tx" value={signature} />}
    </div>
  );
}
