-- Payments whose periods are over while the chain's history is not read. The release before leaves
-- the column null and decides them at once.
ALTER TABLE "Payment" ADD COLUMN "undecidedSince" TIMESTAMPTZ(3);
