/** Advice in the error of a process that gets no database connection. */
export const TOO_MANY_ADVICE =
  'All processes together take more connections than max_connections allows: lower DATABASE_CONNECTIONS, set REDIS_URL for the queues, or use a connection pooler (docs/operations.md, "Connections")';
