-- AlterTable
ALTER TABLE "Event" ADD COLUMN "position" BIGINT;

-- Events that were relayed before there were positions, in the order that take-new-events.ts gives new ones.
WITH aged AS (
  SELECT "id", "merchantId", "environment", "sequence",
    max("createdAt") OVER (PARTITION BY coalesce("subscriptionId", "id") ORDER BY "sequence") AS "age"
  FROM "Event" WHERE "relayedAt" IS NOT NULL
), numbered AS (
  SELECT "id", row_number() OVER (
    PARTITION BY "merchantId", "environment" ORDER BY "age", "sequence" NULLS FIRST, "id") AS "position"
  FROM aged
)
UPDATE "Event" e SET "position" = numbered."position" FROM numbered WHERE e."id" = numbered."id";

-- CreateIndex
CREATE UNIQUE INDEX "Event_merchantId_environment_position_key" ON "Event"("merchantId", "environment", "position");

-- Relaying is what gives a position; an event that is for one endpoint only is in no stream, and has none.
ALTER TABLE "Event" ADD CONSTRAINT "Event_position_when_relayed" CHECK ("position" IS NULL OR "relayedAt" IS NOT NULL);
