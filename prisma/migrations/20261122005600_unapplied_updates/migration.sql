-- One open row a subject, found by an index: what fails again with every update is one row, however many there are.
-- Its indexes come with the next migration, beside readers and writers.
ALTER TABLE "UnappliedUpdate" ADD COLUMN "subject" TEXT, ADD COLUMN "triedAt" TIMESTAMPTZ(3);

-- An indexer of the release before knows neither column. To be dropped: prisma/next-release.md.
CREATE FUNCTION "unapplied_update_fill"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."subject" := coalesce(NEW."subject", NEW."payload"->>'address', NEW."payload"->>'signature', NEW."id"::text);
  NEW."triedAt" := coalesce(NEW."triedAt", NEW."createdAt");
  RETURN NEW;
END $$;

CREATE TRIGGER "UnappliedUpdate_fill" BEFORE INSERT ON "UnappliedUpdate"
  FOR EACH ROW EXECUTE FUNCTION "unapplied_update_fill"();

UPDATE "UnappliedUpdate"
SET "subject" = coalesce("payload"->>'address', "payload"->>'signature', "id"::text), "triedAt" = "createdAt";
ALTER TABLE "UnappliedUpdate" ALTER COLUMN "subject" SET NOT NULL, ALTER COLUMN "triedAt" SET NOT NULL;
