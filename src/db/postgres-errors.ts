// PostgreSQL's error codes (https://www.postgresql.org/docs/current/errcodes-appendix.html).

/** The class of errors by which PostgreSQL ended a statement: a time limit, a shutdown. */
export const OPERATOR_INTERVENTION = '57';
/** `statement_timeout`, or a cancelled statement. */
export const QUERY_CANCELED = '57014';
/** `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = '55P03';
export const DEADLOCK_DETECTED = '40P01';
export const UNDEFINED_FUNCTION = '42883';
