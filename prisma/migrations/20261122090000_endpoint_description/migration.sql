-- What the merchant notes about an endpoint, and the last response of a delivery, by which lists are filtered.
ALTER TABLE "WebhookEndpoint" ADD COLUMN "description" TEXT;
ALTER TABLE "Delivery" ADD COLUMN "lastStatusCode" INTEGER;
