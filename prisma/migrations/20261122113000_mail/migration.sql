-- Mails, and which of them a merchant wants.
CREATE TYPE "MailStatus" AS ENUM ('QUEUED', 'SENT', 'FAILED', 'DROPPED');

ALTER TABLE "Merchant" ADD COLUMN "brandColor" TEXT;
ALTER TABLE "Customer" ADD COLUMN "remindersOffAt" TIMESTAMPTZ(3);

CREATE TABLE "MailSettings" (
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "templates" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "merchantEmail" TEXT,
    "reminderDays" INTEGER NOT NULL DEFAULT 7,
    "remindedUntil" TIMESTAMPTZ(3),
    "trialsToldUntil" TIMESTAMPTZ(3),
    "countedDay" DATE,
    "mailCount" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "MailSettings_pkey" PRIMARY KEY ("merchantId","environment")
);
ALTER TABLE "MailSettings" ADD CONSTRAINT "MailSettings_merchantId_fkey"
  FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "Mail" (
    "id" UUID NOT NULL,
    "merchantId" UUID,
    "environment" "Environment",
    "template" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "content" JSONB NOT NULL DEFAULT '{}',
    "status" "MailStatus" NOT NULL DEFAULT 'QUEUED',
    "attemptCount" INTEGER NOT NULL DEFAULT 0,
    "nextAttemptAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "error" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "sentAt" TIMESTAMPTZ(3),

    CONSTRAINT "Mail_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "Mail_cause_template_recipient_key" ON "Mail"("cause", "template", "recipient");
CREATE INDEX "Mail_merchantId_environment_createdAt_id_idx" ON "Mail"("merchantId", "environment", "createdAt", "id");
CREATE INDEX "Mail_createdAt_idx" ON "Mail"("createdAt");
-- The mails to be sent: few, so that finding them costs nothing.
CREATE INDEX "Mail_due" ON "Mail"("nextAttemptAt") WHERE "status" = 'QUEUED';
ALTER TABLE "Mail" ADD CONSTRAINT "Mail_merchantId_fkey"
  FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id") ON DELETE SET NULL ON UPDATE CASCADE;
