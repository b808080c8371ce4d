-- Endpoints: rotation of secrets, why one is off, how it is doing.
CREATE TYPE "EndpointDisabledReason" AS ENUM ('MERCHANT', 'GONE', 'FAILING');
ALTER TYPE "EndpointStatus" ADD VALUE 'DELETED';
ALTER TYPE "DeliveryStatus" ADD VALUE 'CANCELLED';

ALTER TABLE "WebhookEndpoint"
  ADD COLUMN "maxPerSecond" INTEGER,
  ADD COLUMN "encryptedPreviousSecret" BYTEA,
  ADD COLUMN "previousSecretUntil" TIMESTAMPTZ(3),
  ADD COLUMN "disabledReason" "EndpointDisabledReason",
  ADD COLUMN "disabledAt" TIMESTAMPTZ(3),
  ADD COLUMN "failingSince" TIMESTAMPTZ(3),
  ADD COLUMN "slowdown" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "pausedUntil" TIMESTAMPTZ(3),
  ADD COLUMN "pacedUntil" TIMESTAMPTZ(3);
UPDATE "WebhookEndpoint" SET "eventTypes" = '{}' WHERE "eventTypes" IS NULL;
ALTER TABLE "WebhookEndpoint" ALTER COLUMN "eventTypes" SET DEFAULT ARRAY[]::TEXT[];
UPDATE "WebhookEndpoint" SET "disabledReason" = 'MERCHANT', "disabledAt" = "createdAt" WHERE "status" = 'DISABLED';

-- Deliveries: whose they are, their line, and a claim that is no longer written into the time of the next try.
ALTER TABLE "Delivery"
  ADD COLUMN "merchantId" UUID,
  ADD COLUMN "environment" "Environment",
  ADD COLUMN "replayed" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "failureCount" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "claimedUntil" TIMESTAMPTZ(3),
  DROP CONSTRAINT "Delivery_pending_has_next";
UPDATE "Delivery" d SET "merchantId" = w."merchantId", "environment" = w."environment", "failureCount" = d."attemptCount"
FROM "WebhookEndpoint" w WHERE w."id" = d."endpointId";
ALTER TABLE "Delivery" ALTER COLUMN "merchantId" SET NOT NULL, ALTER COLUMN "environment" SET NOT NULL;

-- Only the first of a line has a time for its next try.
UPDATE "Delivery" d SET "nextAttemptAt" = NULL
WHERE d."status" = 'PENDING' AND EXISTS (
  SELECT FROM "Delivery" earlier
  WHERE earlier."endpointId" = d."endpointId" AND earlier."subscriptionId" = d."subscriptionId"
    AND earlier."sequence" < d."sequence" AND earlier."status" = 'PENDING');

-- Attempts: one is written down before it is made, and named by its delivery and number.
ALTER TABLE "DeliveryAttempt"
  ALTER COLUMN "durationMs" DROP NOT NULL,
  DROP CONSTRAINT "DeliveryAttempt_pkey",
  DROP COLUMN "id",
  DROP CONSTRAINT "DeliveryAttempt_deliveryId_fkey";
DROP INDEX "DeliveryAttempt_deliveryId_number_key";
ALTER TABLE "DeliveryAttempt" ADD CONSTRAINT "DeliveryAttempt_pkey" PRIMARY KEY ("deliveryId", "number");
ALTER TABLE "DeliveryAttempt" ADD CONSTRAINT "DeliveryAttempt_deliveryId_fkey" FOREIGN KEY ("deliveryId") REFERENCES "Delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE INDEX "Delivery_merchantId_environment_createdAt_id_idx" ON "Delivery"("merchantId", "environment", "createdAt", "id");
CREATE INDEX "Delivery_endpointId_createdAt_id_idx" ON "Delivery"("endpointId", "createdAt", "id");
CREATE INDEX "Delivery_createdAt_idx" ON "Delivery" USING BRIN ("createdAt");

-- What Prisma's schema cannot word.

ALTER TABLE "WebhookEndpoint" ADD CONSTRAINT "WebhookEndpoint_off_says_why" CHECK (("status" = 'DISABLED') = ("disabledReason" IS NOT NULL AND "disabledAt" IS NOT NULL));
ALTER TABLE "WebhookEndpoint" ADD CONSTRAINT "WebhookEndpoint_numbers" CHECK ("maxPerSecond" > 0 AND "slowdown" >= 0);
ALTER TABLE "WebhookEndpoint" ADD CONSTRAINT "WebhookEndpoint_previous_secret_ends" CHECK (("encryptedPreviousSecret" IS NULL) = ("previousSecretUntil" IS NULL));
ALTER TABLE "Delivery" ADD CONSTRAINT "Delivery_over_is_not_tried" CHECK ("status" = 'PENDING' OR ("nextAttemptAt" IS NULL AND "claimedUntil" IS NULL));
ALTER TABLE "Delivery" ADD CONSTRAINT "Delivery_no_line_no_wait" CHECK ("status" <> 'PENDING' OR "subscriptionId" IS NOT NULL OR "nextAttemptAt" IS NOT NULL);

-- The first of each line by endpoint and time, and the lines themselves: the size of both is what waits, not all there is.
DROP INDEX "Delivery_waiting";
DROP INDEX "Delivery_order";
CREATE INDEX "Delivery_first_of_line" ON "Delivery" ("endpointId", "nextAttemptAt") WHERE "status" = 'PENDING' AND "nextAttemptAt" IS NOT NULL;
CREATE INDEX "Delivery_line" ON "Delivery" ("endpointId", "subscriptionId", "replayed", "sequence") WHERE "status" = 'PENDING';

-- A claim touches no indexed column: with room on its page it writes no index.
ALTER TABLE "Delivery" SET (fillfactor = 75);
