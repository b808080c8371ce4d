-- A database that was promoted from a standby, or restored from a backup, may lack the newest rows.
-- Each row is one history of the database, for one environment.
CREATE TABLE "DatabaseTimeline" (
  "environment" "Environment" NOT NULL,
  "number" INTEGER NOT NULL,
  "identity" TEXT NOT NULL,
  "detectedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "lostFrom" TIMESTAMPTZ(3),
  "fromSlot" BIGINT,
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

-- The PostgreSQL cluster, its timeline, which each promotion and each recovery from an archive raises,
-- and the database in it. 'unknown' where a service does not show them.
CREATE FUNCTION "database_identity"() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT "system_identifier" FROM pg_control_system()) || '/'
    || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) || '/'
    || (SELECT "oid" FROM pg_database WHERE "datname" = current_database());
EXCEPTION WHEN insufficient_privilege OR undefined_function OR feature_not_supported THEN
  RETURN 'unknown';
END $$;

-- Begins a new timeline in the environments that follow a chain: in those "by_hand", and in those
-- whose newest row has another identity. Numbers also grow with time, by one in ten minutes, because
-- the same backup may be restored twice. A leader of the indexer that began before writes no position
-- any more.
CREATE FUNCTION "begin_timeline"("actual" text, "by_hand" "Environment"[], "lost_from" timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Others that see the same wait here, and then find the new rows.
  LOCK TABLE "DatabaseTimeline" IN SHARE ROW EXCLUSIVE MODE;
  WITH "newest" AS (
    SELECT DISTINCT ON ("environment") "environment", "number", "identity" FROM "DatabaseTimeline"
    ORDER BY "environment", "number" DESC
  ), "begun" AS (
    INSERT INTO "DatabaseTimeline" ("environment", "number", "identity", "lostFrom", "fromSlot")
    SELECT n."environment",
      greatest(n."number" + 1, floor(extract(epoch FROM now() - timestamptz '2026-01-01 00:00:00Z') / 600)::int),
      "actual", coalesce("lost_from", p."updatedAt"), p."slot"
    FROM "newest" n JOIN "StreamPosition" p ON p."environment" = n."environment"
    WHERE n."environment" = ANY("by_hand") OR n."identity" <> "actual"
    RETURNING "environment"
  )
  UPDATE "StreamPosition" p SET "epoch" = p."epoch" + 1000 FROM "begun" b WHERE b."environment" = p."environment";
END $$;

-- Compares the database with the newest rows, and begins a timeline if it is another one. Each
-- connection calls it before its first statement.
CREATE FUNCTION "note_timeline"() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  "actual" text;
BEGIN
  -- The session would stay when the server is promoted.
  IF pg_is_in_recovery() THEN
    RAISE EXCEPTION 'This PostgreSQL server is a standby' USING ERRCODE = 'read_only_sql_transaction';
  END IF;
  IF current_setting('transaction_read_only') = 'on' THEN RETURN; END IF;
  "actual" := "database_identity"();
  IF NOT EXISTS (SELECT FROM "DatabaseTimeline") THEN
    INSERT INTO "DatabaseTimeline" ("environment", "number", "identity", "readAt")
    SELECT "environment", 1, "actual", now() FROM unnest(enum_range(NULL::"Environment")) AS "environment"
    ON CONFLICT DO NOTHING;
  ELSIF "actual" <> 'unknown' AND EXISTS (
    SELECT FROM (
      SELECT DISTINCT ON ("environment") "identity" FROM "DatabaseTimeline" ORDER BY "environment", "number" DESC
    ) AS "newest" WHERE "identity" <> "actual"
  ) THEN
    LOCK TABLE "DatabaseTimeline" IN SHARE ROW EXCLUSIVE MODE;
    UPDATE "DatabaseTimeline" SET "identity" = "actual" WHERE "identity" = 'unknown';
    PERFORM "begin_timeline"("actual", '{}', NULL);
  END IF;
END $$;
