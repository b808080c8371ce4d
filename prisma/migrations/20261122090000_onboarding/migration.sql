-- When a member closed the list of first steps.
ALTER TABLE "Merchant" ADD COLUMN "onboardingDismissedAt" TIMESTAMPTZ(3);
