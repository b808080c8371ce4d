ALTER TABLE "StreamPosition" ADD COLUMN "headSlot" BIGINT,
ADD COLUMN "heardAt" TIMESTAMPTZ(3),
ADD COLUMN "doubtSince" TIMESTAMPTZ(3),
ADD COLUMN "doubt" TEXT;

-- Rows of the mirror are rewritten with every pull and never move by their key: room for the new version beside the old one
-- keeps the index out of it.
ALTER TABLE "ChainAccount" SET (fillfactor = 70);
