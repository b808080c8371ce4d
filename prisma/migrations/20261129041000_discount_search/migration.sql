-- Discounts whose name or code begins with a text.
CREATE INDEX "Discount_by_name" ON "Discount" ("merchantId", "environment", lower("name") text_pattern_ops);
CREATE INDEX "Discount_by_code" ON "Discount" ("merchantId", "environment", lower("code") text_pattern_ops);
