-- The release before pays into the associated account only, whatever this table says.
CREATE TABLE "ReceivingAccounts" (
  "environment" "Environment" NOT NULL,
  "merchantId" UUID NOT NULL,
  "mint" TEXT NOT NULL,
  "count" INTEGER NOT NULL,
  CONSTRAINT "ReceivingAccounts_pkey" PRIMARY KEY ("environment", "merchantId", "mint"),
  CONSTRAINT "ReceivingAccounts_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
