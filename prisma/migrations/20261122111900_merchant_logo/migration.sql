-- The picture that a merchant uploaded as its logo.
CREATE TABLE "MerchantLogo" (
    "merchantId" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "png" BYTEA NOT NULL,

    CONSTRAINT "MerchantLogo_pkey" PRIMARY KEY ("merchantId")
);

CREATE INDEX "MerchantLogo_hash_idx" ON "MerchantLogo"("hash");

ALTER TABLE "MerchantLogo" ADD CONSTRAINT "MerchantLogo_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id") ON DELETE CASCADE ON UPDATE CASCADE;
