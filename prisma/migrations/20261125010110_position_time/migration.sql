-- The chain's time at the position, which decides whether a period is read to its end. The release
-- before leaves the column unchanged; then ended periods stay undecided until this one runs.
ALTER TABLE "StreamPosition" ADD COLUMN "slotTime" BIGINT;
