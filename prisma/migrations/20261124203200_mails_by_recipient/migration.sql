-- Outside a transaction.
-- Mails to one recipient on one day.
DROP INDEX CONCURRENTLY IF EXISTS "Mail_by_recipient";
CREATE INDEX CONCURRENTLY "Mail_by_recipient" ON "Mail" (lower("recipient"), "createdAt");
