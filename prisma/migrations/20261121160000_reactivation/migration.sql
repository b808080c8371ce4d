-- A subscription that comes back through a checkout has the sessions of each time (docs/decisions/0006-reactivation.md).
DROP INDEX "CheckoutSession_subscriptionId_key";
CREATE INDEX "CheckoutSession_subscriptionId_completedAt_idx" ON "CheckoutSession"("subscriptionId", "completedAt");
