-- The kept changes that could not be made again when the chain was read, for the operator.
ALTER TABLE "DatabaseTimeline" ADD COLUMN "notPutBack" JSONB NOT NULL DEFAULT '[]';
