-- Outside a transaction.
DROP INDEX CONCURRENTLY IF EXISTS "Payment_undecided";
CREATE INDEX CONCURRENTLY "Payment_undecided" ON "Payment" ("environment", "undecidedSince")
  WHERE "status" = 'DUE' AND "undecidedSince" IS NOT NULL;
