-- Outside a transaction.
-- Final payments without a receipt: those from before receipts, and those of a worker of the release before.
DROP INDEX CONCURRENTLY IF EXISTS "Payment_no_receipt";
CREATE INDEX CONCURRENTLY "Payment_no_receipt" ON "Payment" ("environment", "paidAt")
  WHERE "status" = 'SUCCEEDED' AND "finalized" AND "receiptNumber" IS NULL;
