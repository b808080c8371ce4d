-- Outside a transaction.
-- Two processes could set the same thing aside at once: the newest stays open.
UPDATE "UnappliedUpdate" u SET "resolvedAt" = u."createdAt"
FROM (
  SELECT "id", row_number() OVER (
    PARTITION BY "environment", "kind", "subject" ORDER BY "createdAt" DESC, "id" DESC) AS "place"
  FROM "UnappliedUpdate" WHERE "resolvedAt" IS NULL
) AS ranked
WHERE u."id" = ranked."id" AND ranked."place" > 1;

DROP INDEX CONCURRENTLY IF EXISTS "UnappliedUpdate_one_open";
CREATE UNIQUE INDEX CONCURRENTLY "UnappliedUpdate_one_open" ON "UnappliedUpdate" ("environment", "kind", "subject")
  WHERE "resolvedAt" IS NULL;

-- What was tried longest ago is tried next; counting what is open reads it as well.
DROP INDEX CONCURRENTLY IF EXISTS "UnappliedUpdate_open";
CREATE INDEX CONCURRENTLY "UnappliedUpdate_open" ON "UnappliedUpdate" ("environment", "triedAt") WHERE "resolvedAt" IS NULL;

DROP INDEX CONCURRENTLY IF EXISTS "UnappliedUpdate_resolved";
CREATE INDEX CONCURRENTLY "UnappliedUpdate_resolved" ON "UnappliedUpdate" ("resolvedAt") WHERE "resolvedAt" IS NOT NULL;
