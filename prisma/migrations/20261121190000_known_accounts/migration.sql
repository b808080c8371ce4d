-- The mirror is compared with the chain account by account, and each running subscription's authority is one of them.
ALTER TABLE "Subscription" ADD COLUMN "authority" TEXT;

-- From where transactions are looked for again, whoever leads then.
ALTER TABLE "StreamPosition" ADD COLUMN "reconciledSlot" BIGINT;
