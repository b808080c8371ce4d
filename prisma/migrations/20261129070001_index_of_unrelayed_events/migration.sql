-- Outside a transaction.
-- Relays of 0.1.0 found new events by it. Those of 0.2.0 and later read the outbox.
DROP INDEX CONCURRENTLY IF EXISTS "Event_unrelayed";
