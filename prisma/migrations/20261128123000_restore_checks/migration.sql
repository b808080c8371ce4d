-- A member of the merchant compared the restored database with what it has kept. Until then the
-- dashboard shows what may be lost.
CREATE TABLE "RestoreCheck" (
  "merchantId" UUID NOT NULL,
  "environment" "Environment" NOT NULL,
  "number" INTEGER NOT NULL,
  "checkedAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "RestoreCheck_pkey" PRIMARY KEY ("merchantId", "environment", "number"),
  CONSTRAINT "RestoreCheck_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id")
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "RestoreCheck_environment_number_fkey" FOREIGN KEY ("environment", "number")
    REFERENCES "DatabaseTimeline"("environment", "number") ON DELETE RESTRICT ON UPDATE CASCADE
);
