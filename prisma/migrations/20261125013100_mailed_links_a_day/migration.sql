-- Mailed links to the portal are counted apart: anyone can ask for one.
ALTER TABLE "MailSettings" ADD COLUMN "linkCount" INTEGER NOT NULL DEFAULT 0;
