-- Outside a transaction.
-- Signed bytes that nobody sends any more. A row whose bytes are gone leaves the index.
DROP INDEX CONCURRENTLY IF EXISTS "TransferTransaction_to_strip";
CREATE INDEX CONCURRENTLY "TransferTransaction_to_strip" ON "TransferTransaction" ("settledAt")
  WHERE "status" <> 'SUBMITTED' AND "wire" <> ''::bytea;
