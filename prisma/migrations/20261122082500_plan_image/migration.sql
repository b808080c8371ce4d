-- A picture of the plan, shown to customers.
ALTER TABLE "Plan" ADD COLUMN "imageUrl" TEXT;
