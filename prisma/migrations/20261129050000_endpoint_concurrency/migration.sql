-- The release before sends at most 32 webhooks at once to every endpoint, whatever this says.
ALTER TABLE "WebhookEndpoint" ADD COLUMN "maxConcurrency" INTEGER NOT NULL DEFAULT 32;
