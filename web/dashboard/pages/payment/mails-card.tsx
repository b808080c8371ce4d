import { Card } from '../../../shared/components/card.tsx';
import { type Column, DataTable } from '../../../shared/components/data-table.tsx';
import { StatusBadge } from '../../../shared/components/status-badge.tsx';
import { mails } from '../../../shared/text/mails.ts';
import { payment as text } from '../../../shared/text/payments.ts';
import { Time } from '../../../shared/time/time.tsx';
import type { PaymentDetail } from './payment.ts';

type Mail = PaymentDetail['mails'][number];

const COLUMNS: readonly Column<Mail>[] = [
  { header: text.mail, cell: ({ template }) => mails.names[template] },
  { header: text.mailTo, cell: ({ recipient }) => <span className="wrap-anywhere">{recipient}</span> },
  {
    header: text.mailStatus,
    cell: ({ status, error }) => (
      <>
        <StatusBadge status={status} />
        {status !== 'SENT' && error && <span className="block text-xs text-soft">{error}</span>}
      </>
    ),
  },
  { header: text.mailTime, cell: ({ sentAt, createdAt }) => <Time at={sentAt ?? createdAt} /> },
];

/** The mails about a payment. */
export function MailsCard({ mails: rows }: Pick<PaymentDetail, 'mails'>) {
  return (
    <Card title={text.mails} description={text.mailsHint} flush>
      <DataTable
        label={text.mails}
        columns={COLUMNS}
        rows={rows}
        rowKey={({ id }) => id}
        isInCard
        empty={<p className="p-4 text-soft">{text.noMails}</p>}
      />
    </Card>
  );
}
