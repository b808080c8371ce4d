/** Number of days for which rows are kept. `RETENTION` has the defaults and minimums. */
export interface Retention {
  /** Expired checkout sessions without a subscription. */
  readonly sessionsDays: number;
  /** The signed bytes of transactions whose outcome is known. The transactions themselves stay. */
  readonly signedBytesDays: number;
  /** Mails that were sent, failed or dropped. */
  readonly mailsDays: number;
}

/**
 * The defaults and minimums. The indexer may still complete a checkout session for one day after
 * its expiry, and may be stopped for some days. Signed bytes are resent only while their blockhash
 * is valid, about a minute; a day leaves time for inspection. A mail is retried for at most three
 * days.
 */
export const RETENTION = {
  sessionsDays: { defaultDays: 30, minDays: 7 },
  signedBytesDays: { defaultDays: 7, minDays: 1 },
  mailsDays: { defaultDays: 30, minDays: 7 },
} as const;

/** Reads the retention settings that are set; undefined if none are. */
export function readRetention(set: {
  readonly SESSIONS_KEPT_DAYS?: number | undefined;
  readonly SIGNED_BYTES_KEPT_DAYS?: number | undefined;
  readonly MAILS_KEPT_DAYS?: number | undefined;
}): Partial<Retention> | undefined {
  const { SESSIONS_KEPT_DAYS: sessionsDays, SIGNED_BYTES_KEPT_DAYS: signedBytesDays } = set;
  const { MAILS_KEPT_DAYS: mailsDays } = set;
  if ([sessionsDays, signedBytesDays, mailsDays].every((days) => days === undefined)) return undefined;
  return {
    ...(sessionsDays !== undefined && { sessionsDays }),
    ...(signedBytesDays !== undefined && { signedBytesDays }),
    ...(mailsDays !== undefined && { mailsDays }),
  };
}
