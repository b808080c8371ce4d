import type { VariableReader } from './variable-reader.ts';
import { KEPT_DAYS, retentionVariables } from './variables/retention.ts';

/** Number of days for which rows are kept. `DEFAULT_RETENTION` has the defaults. */
export interface Retention {
  /** Expired checkout sessions without a subscription. */
  readonly sessionsDays: number;
  /** The signed bytes of transactions whose outcome is known. The transactions themselves stay. */
  readonly signedBytesDays: number;
  /** Mails that were sent, failed or dropped. */
  readonly mailsDays: number;
}

export const DEFAULT_RETENTION: Retention = {
  sessionsDays: KEPT_DAYS.sessions,
  signedBytesDays: KEPT_DAYS.signedBytes,
  mailsDays: KEPT_DAYS.mails,
};

/** Reads the retention settings that are set; undefined if none are. */
export function readRetention(reader: VariableReader): Partial<Retention> | undefined {
  const values = reader.read(retentionVariables);
  const days = {
    ...(values?.SESSIONS_KEPT_DAYS && { sessionsDays: values.SESSIONS_KEPT_DAYS }),
    ...(values?.SIGNED_BYTES_KEPT_DAYS && { signedBytesDays: values.SIGNED_BYTES_KEPT_DAYS }),
    ...(values?.MAILS_KEPT_DAYS && { mailsDays: values.MAILS_KEPT_DAYS }),
  };
  return Object.keys(days).length > 0 ? days : undefined;
}
