-- What a key may be used for. The keys that there are may go on doing everything.
CREATE TYPE "ApiKeyScope" AS ENUM ('READ', 'WRITE', 'CHECKOUT');

ALTER TABLE "ApiKey"
  ADD COLUMN "scopes" "ApiKeyScope"[] DEFAULT ARRAY['READ', 'WRITE', 'CHECKOUT']::"ApiKeyScope"[],
  ADD COLUMN "lastUsedAt" TIMESTAMPTZ(3),
  ADD COLUMN "replacedById" UUID;

CREATE UNIQUE INDEX "ApiKey_replacedById_key" ON "ApiKey" ("replacedById");
ALTER TABLE "ApiKey" ADD CONSTRAINT "ApiKey_replacedById_fkey" FOREIGN KEY ("replacedById") REFERENCES "ApiKey" ("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- The list of keys is read by cursor.
DROP INDEX "ApiKey_merchantId_environment_idx";
CREATE INDEX "ApiKey_merchantId_environment_createdAt_id_idx" ON "ApiKey" ("merchantId", "environment", "createdAt", "id");

ALTER TABLE "ApiKey" ADD CONSTRAINT "ApiKey_scopes_some" CHECK (cardinality("scopes") > 0);

-- Counts of requests: not logged, for nothing is lost with them, and with room in its pages so that a count can be
-- changed in place.
CREATE UNLOGGED TABLE "RateWindow" (
  "key" TEXT NOT NULL,
  "times" BIGINT[],
  "until" BIGINT NOT NULL,
  CONSTRAINT "RateWindow_pkey" PRIMARY KEY ("key")
) WITH (fillfactor = 50);
