ALTER TABLE "StreamPosition" ADD COLUMN "headSlot" BIGINT,
ADD COLUMN "heardAt" TIMESTAMPTZ(3),
ADD COLUMN "doubtSince" TIMESTAMPTZ(3),
ADD COLUMN "doubt" TEXT;

-- Rows of the mirror are rewritten with every pull and never move by their key: room for the new version beside the old one
-- keeps the index out of it.
ALTER TABLE "ChainAccount" SET (fillfactor = 70);

-- Who is past due is asked for every few seconds, to watch their token accounts for a top-up.
CREATE INDEX "Subscription_past_due" ON "Subscription" ("environment", "tokenAccount") WHERE "status" = 'PAST_DUE';

-- The ledger is compared with the payments as it grows: the newest transfers, and all that are on one payment.
CREATE INDEX "ChainTransfer_environment_slot_idx" ON "ChainTransfer" ("environment", "slot");
CREATE INDEX "ChainTransfer_paymentId_idx" ON "ChainTransfer" ("paymentId");
