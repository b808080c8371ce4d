-- The keys of requests that waived payments, so that a repeated request changes nothing.
CREATE TABLE "WaiveKey" (
  "merchantId" UUID NOT NULL,
  "environment" "Environment" NOT NULL,
  "key" TEXT NOT NULL,
  "fingerprint" BYTEA NOT NULL,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "WaiveKey_pkey" PRIMARY KEY ("merchantId", "environment", "key")
);
