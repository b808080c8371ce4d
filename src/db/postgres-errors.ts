// PostgreSQL's error codes (https://www.postgresql.org/docs/current/errcodes-appendix.html).

/** `statement_timeout`, or a cancelled statement. */
export const QUERY_CANCELED = '57014';
/** `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = '55P03';
export const DEADLOCK_DETECTED = '40P01';
export const UNDEFINED_FUNCTION = '42883';
