-- Why the last failed attempt of a payment failed, on the payment itself: lists are filtered by it.
ALTER TABLE "Payment" ADD COLUMN "failureCode" "FailureCode";

-- Once a statement, because attempts are written in bulk.
CREATE FUNCTION "note_failures"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "Payment" AS p SET "failureCode" = a."failureCode" FROM "written" AS a
  WHERE a."status" = 'FAILED' AND p."id" = a."paymentId";
  RETURN NULL;
END $$;
CREATE TRIGGER "Attempt_failed_new" AFTER INSERT ON "Attempt"
  REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "note_failures"();

-- Only attempts that fail now: another change of an older failure says nothing new.
CREATE FUNCTION "note_new_failures"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "Payment" AS p SET "failureCode" = a."failureCode"
  FROM "written" AS a JOIN "before" AS b ON b."id" = a."id"
  WHERE a."status" = 'FAILED' AND b."status" <> 'FAILED' AND p."id" = a."paymentId";
  RETURN NULL;
END $$;
CREATE TRIGGER "Attempt_failed" AFTER UPDATE ON "Attempt"
  REFERENCING NEW TABLE AS "written" OLD TABLE AS "before"
  FOR EACH STATEMENT EXECUTE FUNCTION "note_new_failures"();
