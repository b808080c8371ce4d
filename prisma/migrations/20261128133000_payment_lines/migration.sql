-- What a payment consists of, and what was transferred for it apart from what is owed.
ALTER TYPE "PaymentStatus" ADD VALUE 'WAIVED';
CREATE TYPE "PaymentKind" AS ENUM ('PERIOD', 'EXTRA');
CREATE TYPE "WaivedReason" AS ENUM ('NOTHING_OWED');
ALTER TABLE "Payment"
  ADD COLUMN "kind" "PaymentKind" NOT NULL DEFAULT 'PERIOD',
  ADD COLUMN "lines" JSONB,
  ADD COLUMN "paidAmount" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "waivedReason" "WaivedReason";

-- The sum of the lines: {"amount": "12500000", ...}. A discount is below 0.
CREATE FUNCTION "lines_sum"("lines" jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT coalesce(sum((line->>'amount')::bigint), 0)::bigint FROM jsonb_array_elements("lines") AS line
$$;

CREATE FUNCTION "check_new_lines"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF "lines_sum"(NEW."lines") <> NEW."amount" THEN
    RAISE EXCEPTION 'the lines of a payment are %, and its amount is %', "lines_sum"(NEW."lines"), NEW."amount"
      USING ERRCODE = 'check_violation', CONSTRAINT = 'Payment_lines_sum';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "Payment_new_lines" BEFORE INSERT ON "Payment"
  FOR EACH ROW WHEN (NEW."lines" IS NOT NULL) EXECUTE FUNCTION "check_new_lines"();

CREATE FUNCTION "refuse_other_lines"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the lines of a payment do not change' USING ERRCODE = 'check_violation', CONSTRAINT = 'Payment_lines';
END $$;
CREATE TRIGGER "Payment_lines" BEFORE UPDATE OF "lines" ON "Payment"
  FOR EACH ROW WHEN (NEW."lines" IS DISTINCT FROM OLD."lines") EXECUTE FUNCTION "refuse_other_lines"();

-- The release before writes into "amount" what was transferred. This release never changes "amount".
CREATE FUNCTION "keep_amount"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."paidAmount" := CASE
    WHEN NEW."status" <> 'SUCCEEDED' THEN 0
    WHEN OLD."status" = 'SUCCEEDED' AND OLD."paidAmount" > 0 THEN OLD."paidAmount" + NEW."amount" - OLD."amount"
    ELSE NEW."amount" END;
  NEW."amount" := OLD."amount";
  RETURN NEW;
END $$;
CREATE TRIGGER "Payment_keep_amount" BEFORE UPDATE OF "amount" ON "Payment"
  FOR EACH ROW EXECUTE FUNCTION "keep_amount"();

CREATE FUNCTION "fill_paid_amount"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."paidAmount" := NEW."amount";
  RETURN NEW;
END $$;
CREATE TRIGGER "Payment_fill_paid_amount" BEFORE INSERT ON "Payment"
  FOR EACH ROW WHEN (NEW."status" = 'SUCCEEDED' AND NEW."paidAmount" = 0) EXECUTE FUNCTION "fill_paid_amount"();

-- What is collected a day is what was transferred: in rows without a paid amount, which earlier releases wrote, the amount.
CREATE OR REPLACE FUNCTION "count_new_payments"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "PlanDayChange" ("planId", "day", "paid", "collected")
  SELECT "planId", ("paidAt" AT TIME ZONE 'UTC')::date, count(*), sum(coalesce(nullif("paidAmount", 0), "amount"))
  FROM "inserted" WHERE "status" = 'SUCCEEDED' GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION "count_payments"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "PlanDayChange" ("planId", "day", "paid", "collected")
  SELECT n."planId", (n."paidAt" AT TIME ZONE 'UTC')::date, sum((o."status" <> 'SUCCEEDED')::int),
    sum(coalesce(nullif(n."paidAmount", 0), n."amount") - CASE WHEN o."status" = 'SUCCEEDED' THEN coalesce(nullif(o."paidAmount", 0), o."amount") ELSE 0 END)
  FROM "updated" n JOIN "before" o ON o."id" = n."id"
  WHERE n."status" = 'SUCCEEDED' AND (o."status" <> 'SUCCEEDED' OR coalesce(nullif(o."paidAmount", 0), o."amount") <> coalesce(nullif(n."paidAmount", 0), n."amount")) GROUP BY 1, 2;
  INSERT INTO "PlanDayChange" ("planId", "day", "paid", "collected")
  SELECT o."planId", (o."paidAt" AT TIME ZONE 'UTC')::date, -count(*), -sum(coalesce(nullif(o."paidAmount", 0), o."amount"))
  FROM "updated" n JOIN "before" o ON o."id" = n."id"
  WHERE o."status" = 'SUCCEEDED' AND n."status" <> 'SUCCEEDED' GROUP BY 1, 2;
  RETURN NULL;
END $$;
