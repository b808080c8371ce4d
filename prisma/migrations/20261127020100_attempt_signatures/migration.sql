-- The signatures that each delivery attempt was sent with; null for attempts of earlier versions.
ALTER TABLE "DeliveryAttempt" ADD COLUMN "signature" TEXT, ADD COLUMN "standardSignature" TEXT;
