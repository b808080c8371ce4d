-- An authority that is opened or closed, by whoever uses the program, is looked for by its wallet. Not partial: a parameter
-- for the status would hide it from a generic plan. It may have been built beforehand: docs/operations.md, "Updating".
CREATE INDEX IF NOT EXISTS "Subscription_walletAddress_idx" ON "Subscription" ("walletAddress");
