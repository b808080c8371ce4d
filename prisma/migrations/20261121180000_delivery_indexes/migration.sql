-- What failed, newest first: what a merchant looks for, and a small part of all.
CREATE INDEX "Delivery_failed" ON "Delivery" ("merchantId", "environment", "createdAt", "id") WHERE "status" = 'FAILED';
