import { DEVNET_USDC } from '../../src/config/variables/cluster.ts';
import type { Db } from '../../src/db/db.ts';

import { generateApiKey, hashApiKey } from '../../src/secrets.ts';
import { withoutIndexes } from '../lib/without-indexes.ts';

/** Approximate number of rare rows of each kind (past due, failed, in flight), at any size. */
const RARE_ROWS = 100;
const MERCHANT = '00000000-0000-7000-8000-0000000000aa';
const PLANS = ['00000000-0000-7000-8000-0000000000b1', '00000000-0000-7000-8000-0000000000b2'] as const;
const ENDPOINT = '00000000-0000-7000-8000-0000000000c1';
/**
 * The wallet of one customer and the address of their subscription. Both are valid addresses,
 * because filters refuse others.
 */
export const WALLET = 'CiDwVBFgWV9E5MvXWoLgnEgn2hK7rJikbvfWavzAQz3';
export const ADDRESS = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';

/** A merchant with many rows of each kind. */
export interface GrownMerchant {
  readonly apiKey: string;
  readonly scope: { readonly merchantId: string; readonly environment: 'TEST' };
  readonly planIds: readonly string[];
  readonly endpointId: string;
  /** Returns the id of the row with this kind and number. */
  id(kind: Kind, number: number): string;
}

const KINDS = {
  customer: 'c0',
  subscription: '50',
  payment: 'a0',
  event: 'e0',
  delivery: 'd0',
  waiting: 'e1',
};
type Kind = keyof typeof KINDS;

export interface GrownSizes {
  /**
   * Number of customers, of subscriptions and of deliveries. There are twice as many payments,
   * relayed events and checkout sessions.
   */
  readonly subscriptions: number;
  /** Events that are not relayed. */
  readonly backlog: number;
}

/**
 * Fills an empty database with as many rows as months of billing create. Triggers are off, and
 * indexes are built afterwards. Then updates PostgreSQL's statistics.
 */
export async function seedGrownMerchant(
  db: Db,
  secretKey: Uint8Array,
  sizes: GrownSizes,
): Promise<GrownMerchant> {
  const apiKey = generateApiKey('TEST');
  await db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      await withoutIndexes(tx, async () => {
        for (const statement of writeStatements(sizes)) await tx.$executeRawUnsafe(statement);
      });
      await tx.apiKey.create({
        data: {
          merchantId: MERCHANT,
          environment: 'TEST',
          name: 'bench',
          lastFour: 'xxxx',
          hash: hashApiKey(secretKey, apiKey),
        },
      });
    },
    { timeout: 1_800_000 },
  );
  await db.$executeRawUnsafe('VACUUM ANALYZE');
  return {
    apiKey,
    scope: { merchantId: MERCHANT, environment: 'TEST' },
    planIds: PLANS,
    endpointId: ENDPOINT,
    id: (kind, number) => `00000000-00${KINDS[kind]}-7000-8000-${number.toString(16).padStart(12, '0')}`,
  };
}

/**
 * Picks the numbers of ordinary subscriptions that are not cancelled: `inFlight` with a payment in
 * flight, `others` without one.
 */
export function pickOrdinarySubscriptions(subscriptions: number): { inFlight: number[]; others: number[] } {
  // They come after the subscriptions whose events wait for the relay.
  const first = Math.floor(subscriptions / 2) + 1;
  const numbers = Array.from({ length: 2 * RARE_ROWS }, (_, n) => first + n).filter((n) => n % 50 !== 1);
  return { inFlight: numbers.slice(0, numbers.length / 2), others: numbers.slice(numbers.length / 2) };
}

function writeStatements({ subscriptions: n, backlog }: GrownSizes): string[] {
  const id = (kind: Kind, number: string) =>
    `('00000000-00${KINDS[kind]}-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
  const scope = `'${MERCHANT}'::uuid, 'TEST'::"Environment"`;
  const at = `now() - (${2 * n} - i) * interval '1 second'`;
  const rare = (rows: number) => `i % ${Math.max(2, Math.floor(rows / RARE_ROWS))} = 0`;
  const { inFlight } = pickOrdinarySubscriptions(n);
  const sub = id('subscription', `(i - 1) % ${n} + 1`);
  return [
    `INSERT INTO "Merchant" ("id", "companyName", "walletAddress") VALUES ('${MERCHANT}', 'Grown', 'merchant')`,
    `INSERT INTO "Plan" ("id", "merchantId", "environment", "planId", "name", "amount", "maxAmount", "periodSeconds", "intervalSeconds", "mint",
       "tokenProgram", "chainPlanId", "address", "status", "chainCreatedAt")
     SELECT id::uuid, ${scope}, 'plan-' || i, 'Plan', 5000000, 5000000, 2592000, 2592000, '${DEVNET_USDC}', 'tokens', i, 'plan-' || i, 'ACTIVE', 1
     FROM unnest(ARRAY['${PLANS.join("','")}']) WITH ORDINALITY AS p(id, i)`,
    `INSERT INTO "Price" ("id", "planId", "version", "amount") SELECT "id", "id", 1, "amount" FROM "Plan"`,
    `INSERT INTO "WebhookEndpoint" ("id", "merchantId", "environment", "url", "encryptedSecret")
     VALUES ('${ENDPOINT}', ${scope}, 'https://a.example/', '\\x01')`,
    `INSERT INTO "Customer" ("id", "merchantId", "environment", "email", "customerId", "walletAddress", "createdAt")
     SELECT ${id('customer', 'i')}, ${scope}, 'customer-' || i || '@example.com', 'user-' || i,
       CASE i WHEN 77 THEN '${WALLET}' ELSE 'wallet-' || i END, ${at} FROM generate_series(1, ${n}) i`,
    `INSERT INTO "Subscription" ("id", "merchantId", "environment", "planId", "customerId", "address", "chainCreatedAt",
       "walletAddress", "tokenAccount", "authority", "status", "startedAt", "nextPaymentAt", "nextAttemptAt", "paymentCount",
       "failureCount", "lastSequence", "createdAt", "anchorOffsetSeconds", "priceId", "nextAmount", "mrr")
     SELECT ${id('subscription', 'i')}, ${scope},
       (CASE WHEN i % 100 = 0 THEN '${PLANS[1]}' ELSE '${PLANS[0]}' END)::uuid, ${id('customer', 'i')},
       CASE i WHEN 77 THEN '${ADDRESS}' ELSE 'address-' || i END, 1,
       CASE i WHEN 77 THEN '${WALLET}' ELSE 'wallet-' || i END, 'tokens-' || i, 'authority-' || i,
       (CASE WHEN ${rare(n)} THEN 'PAST_DUE' WHEN i % 50 = 1 THEN 'CANCELLED' ELSE 'ACTIVE' END)::"SubscriptionStatus",
       ${at}, now() + interval '1 day', CASE WHEN i % 50 = 1 THEN NULL WHEN i <= 2 * ${RARE_ROWS} THEN now() - interval '1 hour'
         ELSE now() + interval '1 hour' + random() * interval '30 days' END, 2, (${rare(n)})::int, 2, ${at}, 0,
       (CASE WHEN i % 100 = 0 THEN '${PLANS[1]}' ELSE '${PLANS[0]}' END)::uuid, 5000000, 5000000
     FROM generate_series(1, ${n}) i`,
    `INSERT INTO "SubscriptionTransition" ("id", "subscriptionId", "from", "to", "reason", "at")
     SELECT uuidv7(), ${sub}, NULL, 'ACTIVE', 'subscribed', ${at} FROM generate_series(1, ${n}) i`,
    `INSERT INTO "Payment" ("id", "merchantId", "environment", "subscriptionId", "planId", "periodStart", "dueAt", "amount",
       "paidAmount", "status", "number", "signature", "finalized", "receiptNumber", "paidAt", "createdAt")
     SELECT ${id('payment', 'i')}, ${scope}, ${sub},
       (CASE WHEN i % 100 = 0 THEN '${PLANS[1]}' ELSE '${PLANS[0]}' END)::uuid, i, ${at}, 5000000,
       CASE WHEN ${rare(2 * n)} THEN 0 ELSE 5000000 END, (CASE WHEN ${rare(2 * n)} THEN 'FAILED' ELSE 'SUCCEEDED' END)::"PaymentStatus",
       CASE WHEN NOT ${rare(2 * n)} THEN 1 + (i - 1) / ${n} END, 'signature-' || i / 19, i <= ${2 * n - RARE_ROWS},
       CASE WHEN i <= ${2 * n - RARE_ROWS} THEN i END, ${at}, ${at}
     FROM generate_series(1, ${2 * n}) i`,
    `INSERT INTO "Receipt" ("paymentId", "merchantId", "environment", "customerId", "number", "issuedAt", "document")
     SELECT ${id('payment', 'i')}, ${scope}, ${id('customer', `(i - 1) % ${n} + 1`)}, i, ${at}, '{}'
     FROM generate_series(1, ${2 * n - RARE_ROWS}) i WHERE NOT ${rare(2 * n)}`,
    `INSERT INTO "Refund" ("id", "merchantId", "environment", "paymentId", "amount", "reference", "status", "createdAt",
       "expiresAt", "requestedAt", "signature", "transferIndex", "slot", "refundedAt")
     SELECT uuidv7(), ${scope}, ${id('payment', 'i')}, 1, 'reference-' || i, (CASE WHEN open THEN 'PENDING' ELSE 'SUCCEEDED'
       END)::"RefundStatus", ${at}, ${at}, ${at}, CASE WHEN NOT open THEN 'refund-' || i END,
       CASE WHEN NOT open THEN 0 END, CASE WHEN NOT open THEN i END, CASE WHEN NOT open THEN ${at} END
     FROM (SELECT i, ${rare(n)} AS open FROM generate_series(1, ${n}) i) r`,
    `INSERT INTO "TransferTransaction" ("id", "environment", "signature", "wire", "lastValidBlockHeight", "status",
       "feeLamports", "collector", "createdAt", "settledAt")
     SELECT ${id('delivery', 'i')}, 'TEST', 'signature-' || i, '\\x${'00'.repeat(64)}', 1,
       (CASE WHEN ${rare(n / 8)} THEN 'SUBMITTED' ELSE 'LANDED' END)::"TransferTransactionStatus", 5000, 'collector',
       ${at}, CASE WHEN NOT ${rare(n / 8)} THEN ${at} END FROM generate_series(1, ${Math.floor(n / 8)}) i`,
    `INSERT INTO "Attempt" ("id", "paymentId", "status", "transactionId", "instruction", "createdAt", "settledAt")
     SELECT uuidv7(), ${id('payment', 'i')}, 'SUCCEEDED', ${id('delivery', `1 + i % ${Math.floor(n / 8)}`)}, 1, ${at}, ${at}
     FROM generate_series(1, ${2 * n}) i`,
    `INSERT INTO "Payment" ("id", "merchantId", "environment", "subscriptionId", "planId", "periodStart", "dueAt", "amount",
       "status", "createdAt")
     SELECT ${id('payment', `${2 * n} + i`)}, ${scope}, ${id('subscription', 'i')}, '${PLANS[0]}', 100000000 + i, now(), 5000000,
       'DUE', now() FROM unnest(ARRAY[${inFlight}]) i`,
    `INSERT INTO "Attempt" ("id", "paymentId", "status", "transactionId", "instruction", "createdAt")
     SELECT uuidv7(), ${id('payment', `${2 * n} + i`)}, 'SUBMITTED', ${id('delivery', `1 + i % ${Math.floor(n / 8)}`)}, 1, now()
     FROM unnest(ARRAY[${inFlight}]) i`,
    `INSERT INTO "RateWindow" ("key", "times", "until")
     SELECT 'default/other-' || i, ARRAY[1, 2, 3], 1 FROM generate_series(1, ${n}) i`,
    `INSERT INTO "SignInNonce" ("nonce", "fields", "expiresAt")
     SELECT 'nonce-' || i, '{}', now() + interval '5 minutes' FROM generate_series(1, ${n}) i`,
    `INSERT INTO "Member" ("id", "merchantId", "walletAddress", "role", "createdAt")
     SELECT ${id('customer', 'i')}, '${MERCHANT}', 'member-' || i, 'OWNER', now() FROM generate_series(1, ${Math.floor(n / 2)}) i`,
    `INSERT INTO "MemberSession" ("id", "memberId", "hash", "createdAt", "idleUntil", "expiresAt")
     SELECT uuidv7(), ${id('customer', 'i')}, sha256(i::text::bytea), now(), now() + interval '1 hour', now() + interval '1 day'
     FROM generate_series(1, ${Math.floor(n / 2)}) i`,
    `INSERT INTO "AuditEntry" ("id", "merchantId", "action", "targetId", "changes", "actor", "actorId", "createdAt")
     SELECT uuidv7(), '${MERCHANT}', 'member.signed_in', 'member-' || i, '{}', 'MEMBER', ${id('customer', 'i')}, now()
     FROM generate_series(1, ${Math.floor(n / 2)}) i`,
    `INSERT INTO "UnappliedUpdate" ("id", "environment", "kind", "subject", "slot", "payload", "error", "createdAt", "triedAt",
       "resolvedAt")
     SELECT uuidv7(), 'TEST', 'account', 'address-' || i, 1, '{}', 'broken', now(), now(), now()
     FROM generate_series(1, ${Math.floor(n / 2)}) i`,
    `INSERT INTO "ChainTransfer" ("environment", "signature", "index", "slot", "subscriptionAddress", "planAddress", "amount",
       "periodStart", "paymentId")
     SELECT 'TEST', 'signature-' || i / 19, i % 19, i, 'address-' || (i - 1) % ${n} + 1, 'plan-1', 5000000, i,
       CASE WHEN NOT ${rare(2 * n)} THEN ${id('payment', 'i')} END FROM generate_series(1, ${2 * n}) i`,
    `INSERT INTO "Event" ("id", "merchantId", "environment", "type", "subscriptionId", "sequence", "data", "createdAt",
       "relayedAt", "position")
     SELECT ${id('event', 'i')}, ${scope},
       'subscription.payment_' || CASE WHEN ${rare(2 * n)} THEN 'failed' ELSE 'succeeded' END, ${sub}, 1 + (i - 1) / ${n},
       '{"amount": "5000000"}', ${at}, ${at}, i FROM generate_series(1, ${2 * n}) i`,
    `INSERT INTO "Event" ("id", "merchantId", "environment", "type", "subscriptionId", "sequence", "data", "createdAt")
     SELECT ${id('waiting', 'i')}, ${scope}, 'subscription.payment_succeeded', ${sub}, 3 + (i - 1) / ${n},
       '{"amount": "5000000"}', now() FROM generate_series(1, ${backlog}) i`,
    `INSERT INTO "Outbox" ("xid", "eventId", "merchantId", "environment", "subscriptionId", "sequence")
     SELECT pg_current_xact_id()::text::bigint, "id", "merchantId", "environment", "subscriptionId", "sequence"
     FROM "Event" WHERE "relayedAt" IS NULL`,
    `INSERT INTO "Delivery" ("id", "merchantId", "environment", "eventId", "endpointId", "subscriptionId", "sequence",
       "status", "attemptCount", "lastStatusCode", "nextAttemptAt", "createdAt")
     SELECT ${id('delivery', 'i')}, ${scope}, ${id('event', 'i')}, '${ENDPOINT}', ${sub}, 1 + (i - 1) / ${n},
       (CASE WHEN ${rare(n)} THEN 'FAILED' WHEN i > ${n - RARE_ROWS} THEN 'PENDING' ELSE 'SUCCEEDED' END)::"DeliveryStatus", 1,
       CASE WHEN ${rare(n)} THEN 503 WHEN i <= ${n - RARE_ROWS} THEN 200 END,
       CASE WHEN i > ${n - RARE_ROWS} AND NOT ${rare(n)} THEN now() END, ${at} FROM generate_series(1, ${n}) i`,
    `INSERT INTO "DeliveryAttempt" ("deliveryId", "number", "startedAt", "durationMs", "statusCode")
     SELECT ${id('delivery', 'i')}, 1, ${at}, 20, 200 FROM generate_series(1, ${n}) i`,
    `INSERT INTO "CheckoutSession" ("id", "merchantId", "environment", "planId", "status", "customerEmail", "walletAddress",
       "subscriptionId", "createdAt", "expiresAt", "completedAt")
     SELECT 'cs_' || i, ${scope}, '${PLANS[0]}',
       (CASE WHEN ${rare(2 * n)} THEN 'OPEN' WHEN i > ${n} THEN 'EXPIRED' ELSE 'COMPLETED' END)::"CheckoutSessionStatus",
       'customer-' || i || '@example.com', 'wallet-' || (i - 1) % ${n} + 1,
       CASE WHEN i <= ${n} AND NOT ${rare(2 * n)} THEN ${sub} END, ${at}, ${at} + interval '30 minutes',
       CASE WHEN i <= ${n} THEN ${at} END FROM generate_series(1, ${2 * n}) i`,
    `INSERT INTO "ChainAccount" ("environment", "address", "data", "slot", "writeVersion")
     SELECT 'TEST', 'address-' || i, '\\x${'00'.repeat(64)}', i, 1 FROM generate_series(1, ${n}) i`,
    `INSERT INTO "SubscriptionCount" ("merchantId", "environment", "count") VALUES (${scope}, ${n})`,
  ];
}
