-- The slot of the answer that no transaction of ours can land any more. A later state contains the transfer if it landed and the
-- node did not know its signature.
ALTER TABLE "TransferTransaction" ADD COLUMN "expiredAtSlot" BIGINT;

-- The release before does not make that slot the newest known one. Where a second pull fits into the limit, the transaction stays
-- open for a later release.
CREATE FUNCTION "refuse_expiry_without_slot"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "Attempt" a
      JOIN "Payment" p ON p."id" = a."paymentId"
      JOIN "Subscription" s ON s."id" = p."subscriptionId"
      WHERE a."transactionId" = NEW."id" AND s."lineSources" <> 0) THEN
    RAISE EXCEPTION 'this transaction is ended by a later release, with the slot at which it had expired'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'TransferTransaction_expired_at_slot';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "TransferTransaction_expired_at_slot" BEFORE UPDATE OF "status" ON "TransferTransaction" FOR EACH ROW
  WHEN (OLD."status" = 'SUBMITTED' AND NEW."status" = 'EXPIRED' AND NEW."expiredAtSlot" IS NULL)
  EXECUTE FUNCTION "refuse_expiry_without_slot"();
