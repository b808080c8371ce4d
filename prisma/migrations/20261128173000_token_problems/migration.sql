-- Problems of a plan that 0.2.0 does not know. Its processes cannot read a row with such a value, so
-- the new column has it, and "problem" keeps one that they know.
ALTER TYPE "PlanProblem" ADD VALUE 'MINT_HAS_HOOK';
ALTER TYPE "PlanProblem" ADD VALUE 'MINT_PAUSED';
ALTER TYPE "PlanProblem" ADD VALUE 'RECEIVER_CONFIDENTIAL';
ALTER TABLE "Plan" ADD COLUMN "currentProblem" "PlanProblem";
UPDATE "Plan" SET "currentProblem" = "problem" WHERE "problem" IS NOT NULL;

CREATE FUNCTION "fill_known_problem"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."problem" := (CASE NEW."currentProblem"::text
    WHEN 'MINT_HAS_HOOK' THEN 'MINT_TAKES_FEE'
    WHEN 'MINT_PAUSED' THEN 'MINT_TAKES_FEE'
    WHEN 'RECEIVER_CONFIDENTIAL' THEN 'RECEIVER_REQUIRES_MEMO'
    ELSE NEW."currentProblem"::text END)::"PlanProblem";
  RETURN NEW;
END $$;
CREATE TRIGGER "Plan_fill_known_problem" BEFORE UPDATE OF "currentProblem" ON "Plan"
  FOR EACH ROW EXECUTE FUNCTION "fill_known_problem"();

CREATE FUNCTION "fill_current_problem"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."currentProblem" := NEW."problem";
  RETURN NEW;
END $$;
CREATE TRIGGER "Plan_fill_current_problem" BEFORE UPDATE OF "problem" ON "Plan"
  FOR EACH ROW EXECUTE FUNCTION "fill_current_problem"();
