-- A claim changes no column that an index has. Where there is room for the new version of a row beside the old one, no
-- index is touched: with a million subscriptions that is most of what claiming takes. Pages that are full already get their
-- room with the next rewrite of the table (VACUUM FULL, or pg_repack).
ALTER TABLE "Subscription" SET (fillfactor = 80);
