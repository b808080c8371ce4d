import type { VariableReader } from './variable-reader.ts';
import { type Retention, retentionVariables } from './variables/retention.ts';

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
