-- Where the round stands that compares every account, and when one ended last.
ALTER TABLE "StreamPosition" ADD COLUMN "comparedTo" TEXT, ADD COLUMN "comparedAt" TIMESTAMPTZ(3);
