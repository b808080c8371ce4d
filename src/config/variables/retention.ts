import { wholeNumber } from './kinds.ts';
import { notes } from './notes.ts';

/** Number of days for which rows are kept. */
export interface Retention {
  /** Expired checkout sessions without a subscription. */
  readonly sessionsDays: number;
  /** The signed bytes of transactions whose outcome is known. The transactions themselves stay. */
  readonly signedBytesDays: number;
  /** Mails that were sent, failed or dropped. */
  readonly mailsDays: number;
}

export const DEFAULT_RETENTION: Retention = { sessionsDays: 30, signedBytesDays: 7, mailsDays: 30 };

const keptDays = (minDays: number) => wholeNumber(minDays, 36_500).transform(Number).optional();
const text = (what: string) => `Days for which ${what} are kept (docs/operations.md, "Retention").`;

export const retentionVariables = {
  // The indexer may still complete a session for one day after its expiry, and may be stopped for
  // some days.
  SESSIONS_KEPT_DAYS: keptDays(7).register(notes, {
    text: text('expired checkout sessions'),
    default: String(DEFAULT_RETENTION.sessionsDays),
  }),
  // Bytes are resent only while their blockhash is valid, about a minute; a day leaves time for
  // inspection.
  SIGNED_BYTES_KEPT_DAYS: keptDays(1).register(notes, {
    text: text('the signed bytes of settled transactions'),
    default: String(DEFAULT_RETENTION.signedBytesDays),
  }),
  // A mail is retried for at most three days.
  MAILS_KEPT_DAYS: keptDays(7).register(notes, {
    text: text('mails that were sent, failed or dropped'),
    default: String(DEFAULT_RETENTION.mailsDays),
  }),
};
