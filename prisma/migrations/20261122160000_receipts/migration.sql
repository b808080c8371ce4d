-- Receipts: numbered without gaps, and never changed.
ALTER TABLE "Merchant" ADD COLUMN "legalName" TEXT, ADD COLUMN "postalAddress" TEXT, ADD COLUMN "taxId" TEXT;
ALTER TABLE "Customer" ADD COLUMN "billingName" TEXT, ADD COLUMN "billingAddress" TEXT, ADD COLUMN "taxId" TEXT;
ALTER TABLE "Payment" ADD COLUMN "receiptNumber" INTEGER;

CREATE TABLE "ReceiptCounter" (
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "last" INTEGER NOT NULL,

    CONSTRAINT "ReceiptCounter_pkey" PRIMARY KEY ("merchantId","environment")
);

CREATE TABLE "Receipt" (
    "paymentId" UUID NOT NULL,
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "customerId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "document" JSONB NOT NULL,
    "issuedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Receipt_pkey" PRIMARY KEY ("paymentId"),
    CONSTRAINT "Receipt_number_from_one" CHECK ("number" > 0)
);
CREATE UNIQUE INDEX "Receipt_merchantId_environment_number_key" ON "Receipt"("merchantId", "environment", "number");
ALTER TABLE "Receipt" ADD CONSTRAINT "Receipt_paymentId_fkey"
  FOREIGN KEY ("paymentId") REFERENCES "Payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "Receipt" ADD CONSTRAINT "Receipt_merchantId_fkey"
  FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Whatever code runs: a receipt that was given is not changed.
CREATE FUNCTION "refuse_receipt_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Receipt_never_changes: a receipt cannot be changed or deleted';
END $$;
CREATE TRIGGER "Receipt_never_changes" BEFORE UPDATE OR DELETE ON "Receipt"
  FOR EACH ROW EXECUTE FUNCTION "refuse_receipt_change"();
