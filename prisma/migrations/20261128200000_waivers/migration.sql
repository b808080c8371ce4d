-- Payments that are not charged: in a pause, in free periods, or a single one. A waiver is a range of the numbers of payments, which
-- are counted from 0 for the first due date after the trial.
ALTER TYPE "WaivedReason" ADD VALUE 'PAUSED';
ALTER TYPE "WaivedReason" ADD VALUE 'FREE';
ALTER TYPE "WaivedReason" ADD VALUE 'MERCHANT';
CREATE TYPE "WaiverKind" AS ENUM ('PAUSE', 'FREE', 'ONE');
CREATE TABLE "Waiver" (
  "id" UUID NOT NULL,
  "subscriptionId" UUID NOT NULL,
  "kind" "WaiverKind" NOT NULL,
  "fromIndex" INTEGER NOT NULL,
  "untilIndex" INTEGER,
  "keepsAccess" BOOLEAN NOT NULL,
  "reason" TEXT,
  "actor" "AuditActor" NOT NULL,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  "endedAt" TIMESTAMPTZ(3),
  CONSTRAINT "Waiver_pkey" PRIMARY KEY ("id"),
  -- A pause that is taken back before it begins is empty.
  CONSTRAINT "Waiver_range" CHECK ("fromIndex" >= 0
    AND ("untilIndex" > "fromIndex" OR ("untilIndex" = "fromIndex" AND "endedAt" IS NOT NULL) OR ("untilIndex" IS NULL AND "endedAt" IS NULL)))
);
CREATE INDEX "Waiver_subscriptionId_fromIndex_idx" ON "Waiver"("subscriptionId", "fromIndex");
CREATE INDEX "Waiver_open" ON "Waiver"("subscriptionId") WHERE "endedAt" IS NULL;
ALTER TABLE "Waiver" ADD CONSTRAINT "Waiver_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "Subscription"("id")
  ON DELETE RESTRICT ON UPDATE CASCADE;

-- An exclusion constraint would need the extension btree_gist, which a database may not have. The lock makes two
-- transactions that add waivers of one subscription wait for one another.
CREATE FUNCTION "refuse_overlapping_waiver"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM "Subscription" WHERE "id" = NEW."subscriptionId" FOR UPDATE;
  IF EXISTS (SELECT FROM "Waiver" w WHERE w."subscriptionId" = NEW."subscriptionId" AND w."endedAt" IS NULL AND w."id" <> NEW."id"
      AND int4range(w."fromIndex", w."untilIndex") && int4range(NEW."fromIndex", NEW."untilIndex")) THEN
    RAISE EXCEPTION 'a payment of this subscription has a waiver already'
      USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'Waiver_no_overlap';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "Waiver_no_overlap" BEFORE INSERT OR UPDATE ON "Waiver" FOR EACH ROW
  WHEN (NEW."endedAt" IS NULL) EXECUTE FUNCTION "refuse_overlapping_waiver"();

-- What follows from the waivers of a subscription that have not ended, for lists: the running or next pause, and the running or next
-- time in which nothing is charged.
ALTER TABLE "Subscription"
  ADD COLUMN "pausedFrom" TIMESTAMPTZ(3),
  ADD COLUMN "pausedUntil" TIMESTAMPTZ(3),
  ADD COLUMN "pauseKeepsAccess" BOOLEAN NOT NULL DEFAULT true,
  ADD COLUMN "waivedFrom" TIMESTAMPTZ(3),
  ADD COLUMN "waivedUntil" TIMESTAMPTZ(3);

-- 0: customers may not pause.
ALTER TABLE "Plan" ADD COLUMN "maxPausedPeriods" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Plan" ADD CONSTRAINT "Plan_max_paused_periods" CHECK ("maxPausedPeriods" BETWEEN 0 AND 12);
