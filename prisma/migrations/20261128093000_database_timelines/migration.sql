-- A database that was promoted from a standby, or restored from a backup, may lack the newest rows.
-- Each row is one history of the database, for one environment.
CREATE TABLE "DatabaseTimeline" (
  "environment" "Environment" NOT NULL,
  "number" INTEGER NOT NULL,
  "identity" TEXT NOT NULL,
  "detectedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "lostFrom" TIMESTAMPTZ(3),
  "lostUntil" TIMESTAMPTZ(3),
  "slot" BIGINT,
  "readAt" TIMESTAMPTZ(3),
  CONSTRAINT "DatabaseTimeline_pkey" PRIMARY KEY ("environment", "number")
);

-- Receipt numbers that may have been given out by rows that were lost. They are not given again.
CREATE TABLE "VoidReceipts" (
  "merchantId" UUID NOT NULL,
  "environment" "Environment" NOT NULL,
  "first" INTEGER NOT NULL,
  "last" INTEGER NOT NULL,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "VoidReceipts_pkey" PRIMARY KEY ("merchantId", "environment", "first"),
  CONSTRAINT "VoidReceipts_range" CHECK ("first" >= 1 AND "last" >= "first"),
  CONSTRAINT "VoidReceipts_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id")
    ON DELETE RESTRICT ON UPDATE CASCADE
);

-- The PostgreSQL cluster and its timeline, which each promotion and each recovery from an archive
-- raises. 'unknown' where a service does not show them, and in a standby.
CREATE FUNCTION "database_identity"() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT "system_identifier" FROM pg_control_system()) || '/'
    || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8);
EXCEPTION WHEN OTHERS THEN
  RETURN 'unknown';
END $$;

-- Adds a timeline to each environment if the database is not the one of the newest row. Each
-- connection calls it before its first statement, so that no row is written before.
CREATE FUNCTION "note_timeline"() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  "actual" text := "database_identity"();
BEGIN
  IF pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' THEN RETURN; END IF;
  IF NOT EXISTS (SELECT FROM "DatabaseTimeline") THEN
    INSERT INTO "DatabaseTimeline" ("environment", "number", "identity", "readAt")
    SELECT "environment", 1, "actual", now() FROM unnest(enum_range(NULL::"Environment")) AS "environment"
    ON CONFLICT DO NOTHING;
  ELSIF "actual" <> 'unknown' AND EXISTS (
    SELECT FROM (
      SELECT DISTINCT ON ("environment") "identity" FROM "DatabaseTimeline" ORDER BY "environment", "number" DESC
    ) AS "newest" WHERE "identity" <> "actual"
  ) THEN
    PERFORM "begin_timeline"("actual", false);
  END IF;
END $$;

-- Begins a new timeline, where the newest one is of another database or "always": its counters start above all numbers of the one before, and a leader that
-- began in the lost history writes no position any more.
CREATE FUNCTION "begin_timeline"("actual" text, "always" boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Others that see the same wait here, and then find the new rows.
  LOCK TABLE "DatabaseTimeline" IN SHARE ROW EXCLUSIVE MODE;
  WITH "newest" AS (
    SELECT DISTINCT ON ("environment") "environment", "number", "identity" FROM "DatabaseTimeline"
    ORDER BY "environment", "number" DESC
  ), "begun" AS (
    INSERT INTO "DatabaseTimeline" ("environment", "number", "identity", "lostFrom")
    SELECT n."environment", n."number" + 1, "actual", p."updatedAt"
    FROM "newest" n LEFT JOIN "StreamPosition" p ON p."environment" = n."environment"
    WHERE "always" OR n."identity" <> "actual"
    RETURNING "environment"
  )
  UPDATE "StreamPosition" p SET "epoch" = p."epoch" + 1000 FROM "begun" b WHERE b."environment" = p."environment";
END $$;
