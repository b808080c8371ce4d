-- All earlier rows have null. Reading them holds back neither reads nor writes.
ALTER TABLE "CheckoutSession" VALIDATE CONSTRAINT "CheckoutSession_discountId_fkey";
ALTER TABLE "Subscription" VALIDATE CONSTRAINT "Subscription_discountRedemptionId_fkey";
