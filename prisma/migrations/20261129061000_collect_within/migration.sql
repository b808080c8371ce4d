-- The release before sets every next attempt to its due date, and attempts payments at the times that a later release has set.
ALTER TABLE "Plan" ADD COLUMN "collectWithinSeconds" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "maxCollectWithinSeconds" INTEGER NOT NULL DEFAULT 0,
  ADD CONSTRAINT "Plan_collect_within" CHECK (
    "collectWithinSeconds" >= 0 AND "collectWithinSeconds" <= 3600 AND "collectWithinSeconds" * 10 <= "intervalSeconds"
    AND "maxCollectWithinSeconds" >= "collectWithinSeconds");
