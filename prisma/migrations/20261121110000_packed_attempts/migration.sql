-- AlterTable
ALTER TABLE "Attempt" ADD COLUMN "instruction" INTEGER,
ADD COLUMN "feeLamports" BIGINT;

-- Until now every transaction had one pull, its first instruction.
UPDATE "Attempt" SET "instruction" = 0 WHERE "transactionId" IS NOT NULL;
