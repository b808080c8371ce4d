-- Entries go into the index at once. Each search would read all those that wait, up to 4 MB, and
-- every session adds one.
ALTER INDEX "CheckoutSession_earlierWallets_idx" SET (fastupdate = off);
