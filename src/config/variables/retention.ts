import { wholeNumber } from './kinds.ts';
import { notes } from './notes.ts';

/** The default days of each. */
export const KEPT_DAYS = { sessions: 30, signedBytes: 7, mails: 30 } as const;

const keptDays = (minDays: number) => wholeNumber(minDays, 36_500).transform(Number).optional();
const text = (what: string) => `Days for which ${what} are kept (docs/operations.md, "Retention").`;

export const retentionVariables = {
  // The indexer may still complete a session for one day after its expiry, and may be stopped for
  // some days.
  SESSIONS_KEPT_DAYS: keptDays(7).register(notes, {
    text: text('expired checkout sessions'),
    default: String(KEPT_DAYS.sessions),
  }),
  // Bytes are resent only while their blockhash is valid, about a minute; a day leaves time for
  // inspection.
  SIGNED_BYTES_KEPT_DAYS: keptDays(1).register(notes, {
    text: text('the signed bytes of settled transactions'),
    default: String(KEPT_DAYS.signedBytes),
  }),
  // A mail is retried for at most three days.
  MAILS_KEPT_DAYS: keptDays(7).register(notes, {
    text: text('mails that were sent, failed or dropped'),
    default: String(KEPT_DAYS.mails),
  }),
};
