import { graphql } from './graphql.ts';
import { useReadAfter, useStream } from './live.tsx';

const RECORDED = graphql(/* GraphQL */ `
  subscription PaymentFinalized {
    paymentRecorded {
      finalized
    }
  }
`);

/** The `live` prefix of queries that are refetched when receipts are issued. */
export const RECEIPT = 'receipt.';

/**
 * Follows new receipts. No event reports them, but each is issued before its payment is reported as
 * final.
 */
export function useReceiptUpdates(): void {
  const readAfter = useReadAfter();
  const read = () => readAfter(`${RECEIPT}issued`);
  useStream(
    RECORDED,
    {},
    {
      onData: ({ paymentRecorded }) => {
        if (paymentRecorded.finalized) read();
      },
      onGap: read,
    },
  );
}
