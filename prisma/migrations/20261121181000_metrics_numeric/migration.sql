-- What a plan brings in may be more than a bigint holds: a token may have any number of decimals.
ALTER TABLE "PlanDay" ALTER COLUMN "collected" SET DATA TYPE DECIMAL(38,0);
ALTER TABLE "PlanDayChange" ALTER COLUMN "collected" SET DATA TYPE DECIMAL(38,0);

-- CreateIndex
CREATE INDEX "AuditEntry_merchantId_targetId_createdAt_id_idx" ON "AuditEntry"("merchantId", "targetId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "AuditEntry_merchantId_actorId_createdAt_id_idx" ON "AuditEntry"("merchantId", "actorId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "IdempotencyKey_expiresAt_idx" ON "IdempotencyKey"("expiresAt");
