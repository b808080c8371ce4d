-- A trace goes on from the row that carries it; and what a collector spends is counted by who paid.
ALTER TABLE "Event" ADD COLUMN "traceparent" TEXT;
ALTER TABLE "TransferTransaction" ADD COLUMN "collector" TEXT, ADD COLUMN "traceparent" TEXT;
CREATE INDEX "TransferTransaction_collector_settledAt_idx" ON "TransferTransaction"("collector", "settledAt");
