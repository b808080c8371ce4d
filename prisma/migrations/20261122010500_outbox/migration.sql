-- What the relay has yet to take, apart from the events themselves: its size is that of the backlog. Its key begins with the
-- transaction that recorded the event, so that whoever has read up to a snapshot knows where anything can still appear
-- (src/domain/event/outbox-place.ts), and walks over no entries of rows that are gone.
CREATE TABLE "Outbox" (
    "xid" BIGINT NOT NULL,
    "eventId" UUID NOT NULL,
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "subscriptionId" UUID,
    "sequence" INTEGER,

    CONSTRAINT "Outbox_pkey" PRIMARY KEY ("xid","eventId")
);

-- CreateIndex
CREATE INDEX "Outbox_subscriptionId_sequence_idx" ON "Outbox"("subscriptionId", "sequence");

-- Rows come and go by thousands a second: vacuumed by their number, not by a share of a table that is mostly empty.
ALTER TABLE "Outbox" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000);

-- Whoever writes an event writes this too, whether it knows of it or not. Also a process that still runs the code of before.
CREATE FUNCTION "event_to_outbox"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "Outbox" ("xid", "eventId", "merchantId", "environment", "subscriptionId", "sequence")
  SELECT pg_current_xact_id()::text::bigint, "id", "merchantId", "environment", "subscriptionId", "sequence"
  FROM "inserted" WHERE "relayedAt" IS NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER "Event_to_outbox" AFTER INSERT ON "Event"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "event_to_outbox"();

-- What waits already. Nobody records between this and the trigger, which locks the table.
INSERT INTO "Outbox" ("xid", "eventId", "merchantId", "environment", "subscriptionId", "sequence")
SELECT pg_current_xact_id()::text::bigint, "id", "merchantId", "environment", "subscriptionId", "sequence"
FROM "Event" WHERE "relayedAt" IS NULL;

-- The index "Event_unrelayed" stays for this release: a relay of the release before reads by it, and dropping it here would
-- wait for that relay while it waits for us. To be dropped: prisma/next-release.md.
