-- Customers by whom a merchant counts as one that has collected. Merchants with a receipt keep that.
ALTER TABLE "ReceiptCounter" ADD COLUMN "customerCount" INTEGER NOT NULL DEFAULT 0;
UPDATE "ReceiptCounter" SET "customerCount" = 3 WHERE "last" > 0;

-- Whether the merchant had collected is stored with what the collector spends for it. Only the rows
-- of the last day count towards the maximums.
ALTER TABLE "SponsoredTransaction" ADD COLUMN "wasNew" BOOLEAN NOT NULL DEFAULT false;
UPDATE "SponsoredTransaction" s SET "wasNew" = true
WHERE "createdAt" > now() - interval '1 day' AND NOT EXISTS (SELECT FROM "ReceiptCounter" c
  WHERE c."merchantId" = s."merchantId" AND c."environment" = s."environment" AND c."last" > 0);

ALTER TABLE "ReceiverAccount" ADD COLUMN "wasNew" BOOLEAN NOT NULL DEFAULT false;
UPDATE "ReceiverAccount" r SET "wasNew" = true
WHERE "createdAt" > now() - interval '1 day' AND NOT EXISTS (SELECT FROM "ReceiptCounter" c
  WHERE c."merchantId" = r."merchantId" AND c."environment" = r."environment" AND c."last" > 0);
