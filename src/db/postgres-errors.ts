// PostgreSQL's error codes (https://www.postgresql.org/docs/current/errcodes-appendix.html).

/**
 * The first two characters of errors that any other statement would get too: the connection, a server
 * that only reads, missing memory, disk or connections, a time limit or a shutdown, the system, a defect.
 */
export const NOT_OF_THE_ROWS = ['08', '25', '53', '57', '58', 'XX'];
/** `statement_timeout`, or a cancelled statement. */
export const QUERY_CANCELED = '57014';
/** `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = '55P03';
export const DEADLOCK_DETECTED = '40P01';
export const UNDEFINED_FUNCTION = '42883';
