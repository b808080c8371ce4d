-- What a network address asked the collector to pay for and did not sign.
ALTER TYPE "SponsoredStatus" ADD VALUE 'EXPIRED';
ALTER TABLE "SponsoredTransaction" ADD COLUMN "callerHash" BYTEA;
