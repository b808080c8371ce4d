/** Advice for an operator whose process gets no database connection. */
export const CONNECTION_LIMIT_ADVICE =
  'All processes together take more connections than max_connections allows: lower DATABASE_CONNECTIONS, set REDIS_URL for the queues, or use a connection pooler (docs/operations.md, "Connections")';
