-- The term of the newest leading indexer. One that was frozen while another took over has an earlier
-- one, and must not write the position. An indexer of 0.2.0 or earlier does not know its term.
ALTER TABLE "StreamPosition" ADD COLUMN "epoch" BIGINT NOT NULL DEFAULT 0;
