-- Every search read the list of entries that were not in the tree yet: 3 ms each. Few sessions have
-- such wallets, so their entries go into the tree at once.
ALTER INDEX "CheckoutSession_earlierWallets_idx" SET (fastupdate = off);
