-- A trial is granted once per wallet and plan. Every life so far has had one, and keeps its dates.
ALTER TABLE "Subscription" ADD COLUMN "trialGranted" BOOLEAN NOT NULL DEFAULT true;
