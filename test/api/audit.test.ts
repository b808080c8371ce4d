import { generateKeyPairSigner } from '@solana/kit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { schema } from '../../src/api/graphql/schema.ts';
import { inviteMember } from '../../src/domain/accounts/member/invite-member.ts';
import { applyDiscount } from '../../src/domain/billing/discount/apply-discount.ts';
import { createDiscount } from '../../src/domain/billing/discount/create-discount.ts';
import { createPrice } from '../../src/domain/billing/price/create-price.ts';
import { createRefund } from '../../src/domain/billing/refund/create-refund.ts';
import { pauseSubscription } from '../../src/domain/billing/waive/pause-subscription.ts';
import { createPlan } from '../../src/domain/catalog/plan/create-plan.ts';
import { createLink } from '../../src/domain/checkout/payment-link/create-link.ts';
import { createEndpoint } from '../../src/domain/messages/webhook/create-endpoint.ts';
import { rotateSecret } from '../../src/domain/messages/webhook/rotate-secret.ts';
import { sendTestEvent } from '../../src/domain/messages/webhook/send-test-event.ts';
import { signInWithWallet } from '../../tools/sign-in-wallet.ts';
import { createPng } from '../support/png.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import {
  ADVANCE_TEST_CLOCK,
  DELETE_ENDPOINT,
  END_SECRET_OVERLAP,
  REPLAY,
  RESEND,
  ROTATE_SECRET,
  SEND_TEST,
  SET_RECEIVING_ACCOUNTS,
  TRIGGER_EVENT,
  UPDATE_ENDPOINT,
  UPDATE_MAIL_SETTINGS,
  UPDATE_SETTINGS,
} from './audit-documents.ts';
import { Browser } from './browser.ts';
import {
  CANCEL_REFUND,
  CREATE_REFUND,
  GRANT_FREE,
  PAUSE,
  RETRY_PAYMENT,
  SKIP,
  UNDO_CANCELLATION,
  UNPAUSE,
  WAIVE,
} from './collection-documents.ts';
import { DISMISS_ONBOARDING } from './dashboard-documents.ts';
import {
  CANCEL,
  CREATE_API_KEY,
  CREATE_ENDPOINT,
  CREATE_PLAN,
  REVOKE_API_KEY,
  ROTATE_API_KEY,
} from './documents.ts';
import { CREATE_LINK, UPDATE_LINK } from './link-documents.ts';
import { UPDATE_BILLING_DETAILS, UPDATE_CUSTOMER } from './overview-documents.ts';
import {
  APPLY_DISCOUNT,
  CREATE_DISCOUNT,
  CREATE_PRICE,
  DELETE_DRAFT,
  REMOVE_DISCOUNT,
  RETIRE_PRICE,
  UPDATE_DISCOUNT,
  UPDATE_PLAN,
} from './plan-documents.ts';
import { CREATE_PORTAL_SESSION } from './portal-documents.ts';
import { seedPayments } from './seed.ts';
import {
  AUDIT_LOG,
  CHANGE_MEMBER_ROLE,
  CHOOSE_MERCHANT,
  CONFIRM_RESTORE_CHECK,
  END_MEMBER_SESSION,
  INVITE_MEMBER,
  REMOVE_MEMBER,
  RENAME_MEMBER,
  SESSIONS,
  SIGN_IN,
  SIGN_IN_INPUT,
  SIGN_OUT,
  SIGN_OUT_EVERYWHERE,
  UPDATE_PROFILE,
  UPLOAD_LOGO,
} from './team-documents.ts';
import { graphqlError, startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
const plan = await world.publishPlan(merchant);
let browser = await openSignedInBrowser();

async function openSignedInBrowser(userAgent = 'Test Browser'): Promise<Browser> {
  const opened = new Browser(world, { userAgent });
  await opened.signIn(merchant.wallet);
  return opened;
}

const merchantScope = () => ({ merchantId: merchant.merchant.id });
const entriesOf = (merchantId: string) =>
  world.db.auditEntry.findMany({ where: { merchantId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });

const newWallet = async () => (await generateKeyPairSigner()).address;
async function newMember(): Promise<string> {
  const walletAddress = await newWallet();
  return (await inviteMember(world.ctx, merchantScope(), { walletAddress, role: 'READ_ONLY' })).id;
}
async function newKey() {
  await world.newKey(merchant, 'TEST');
  return world.db.apiKey.findFirstOrThrow({ where: merchant.scope, orderBy: { id: 'desc' } });
}
async function newEndpoint() {
  // A merchant has at most 20: those of earlier tests make room.
  await world.db.webhookEndpoint.updateMany({
    where: merchant.scope,
    data: { status: 'DELETED', disabledReason: null, disabledAt: null },
  });
  const { endpoint } = await createEndpoint(world.ctx, { ...merchant.scope, url: 'https://shop.example' });
  return endpoint;
}
async function newPaidPayment(): Promise<string> {
  const { address } = await world.subscribe(merchant, plan, await world.newWallet());
  const payments = await seedPayments(world.db, merchant.scope, address);
  return payments.find(({ status }) => status === 'SUCCEEDED')?.id ?? '';
}
let serial = 0;
async function newDraft(): Promise<string> {
  const terms = { planId: `draft-${++serial}`, name: 'Pro', amount: 1n, intervalSeconds: 3_600 };
  return (await createPlan(world.ctx, merchant.scope, terms)).plan.planId;
}
/** A price that is not the current one. */
async function newRetirablePrice(): Promise<string> {
  const planId = await newDraft();
  const { id } = await createPrice(world.ctx, merchant.scope, planId, 1n);
  await createPrice(world.ctx, merchant.scope, planId, 1n);
  return id;
}

const newDiscount = () => createDiscount(world.ctx, merchant.scope, { name: 'Spring', percentBps: 1_000 });
/** A subscription with a discount. */
async function newDiscounted(): Promise<string> {
  const { address } = await world.subscribe(merchant, plan, await world.newWallet());
  const { id } = await newDiscount();
  await applyDiscount(world.ctx, merchant.scope, { subscription: address, discountId: id });
  return address;
}

interface Change {
  readonly action: string;
  /** Creates the rows that the mutation needs. */
  readonly prepare?: () => Promise<unknown>;
  /** Whether only members may call it. */
  readonly membersOnly?: true;
  /** Whether its entry names the environment; by default, if keys may call it. */
  readonly isOfEnvironment?: boolean;
  readonly call: (client: Client, prepared: never) => Promise<unknown>;
}
/** A caller of mutations: a member or a key. */
type Client = Pick<Browser, 'query'>;

/**
 * Every mutation that changes data of the merchant. Add new ones here, or below with a reason.
 */
const changes: Record<string, Change> = {
  createApiKey: {
    action: 'api_key.created',
    call: (client) => client.query(CREATE_API_KEY, { name: 'made' }),
  },
  rotateApiKey: {
    action: 'api_key.rotated',
    prepare: newKey,
    call: (client, { id }: { id: string }) => client.query(ROTATE_API_KEY, { id }),
  },
  revokeApiKey: {
    action: 'api_key.revoked',
    prepare: newKey,
    call: (client, { id }: { id: string }) => client.query(REVOKE_API_KEY, { id }),
  },
  createPlan: {
    action: 'plan.created',
    call: (client) =>
      client.query(CREATE_PLAN, {
        input: { planId: `plan-${++serial}`, name: 'Pro', amount: '1000000', interval: 3600 },
      }),
  },
  createPrice: {
    action: 'price.created',
    prepare: newDraft,
    call: (client, planId: string) => client.query(CREATE_PRICE, { planId, amount: '1' }),
  },
  retirePrice: {
    action: 'price.retired',
    prepare: newRetirablePrice,
    call: (client, priceId: string) => client.query(RETIRE_PRICE, { priceId }),
  },
  updatePlan: {
    action: 'plan.updated',
    prepare: newDraft,
    call: (client, planId: string) => client.query(UPDATE_PLAN, { planId, input: { name: 'Better' } }),
  },
  createDiscount: {
    action: 'discount.created',
    call: (client) => client.query(CREATE_DISCOUNT, { input: { name: 'Spring', percentBps: 1_000 } }),
  },
  updateDiscount: {
    action: 'discount.updated',
    prepare: newDiscount,
    call: (client, { id }: { id: string }) =>
      client.query(UPDATE_DISCOUNT, { id, input: { isActive: false } }),
  },
  applyDiscount: {
    action: 'subscription.discount_applied',
    prepare: async () => ({ subscription: await newDiscounted(), discountId: (await newDiscount()).id }),
    call: (client, prepared: { subscription: string; discountId: string }) =>
      client.query(APPLY_DISCOUNT, prepared),
  },
  removeDiscount: {
    action: 'subscription.discount_removed',
    prepare: newDiscounted,
    call: (client, subscription: string) => client.query(REMOVE_DISCOUNT, { subscription }),
  },
  createPaymentLink: {
    action: 'payment_link.created',
    call: (client) => client.query(CREATE_LINK, { input: { planId: plan.planId } }),
  },
  updatePaymentLink: {
    action: 'payment_link.updated',
    prepare: () => createLink(world.ctx, merchant.scope, { planId: plan.planId }),
    call: (client, { id }: { id: string }) => client.query(UPDATE_LINK, { id, input: { active: false } }),
  },
  deletePlanDraft: {
    action: 'plan.deleted',
    prepare: newDraft,
    call: (client, planId: string) => client.query(DELETE_DRAFT, { planId }),
  },
  createWebhookEndpoint: {
    action: 'endpoint.created',
    call: (client) => client.query(CREATE_ENDPOINT, { url: 'https://shop.example/hook' }),
  },
  updateWebhookEndpoint: {
    action: 'endpoint.updated',
    prepare: newEndpoint,
    call: (client, { id }: { id: string }) =>
      client.query(UPDATE_ENDPOINT, {
        id,
        input: { maxPerSecond: 5, maxConcurrency: 4, status: 'DISABLED' },
      }),
  },
  rotateWebhookSecret: {
    action: 'endpoint.secret_rotated',
    prepare: newEndpoint,
    call: (client, { id }: { id: string }) => client.query(ROTATE_SECRET, { id }),
  },
  endWebhookSecretOverlap: {
    action: 'endpoint.secret_overlap_ended',
    prepare: async () => {
      const endpoint = await newEndpoint();
      await rotateSecret(world.ctx, merchant.scope, endpoint.id);
      return endpoint;
    },
    call: (client, { id }: { id: string }) => client.query(END_SECRET_OVERLAP, { id }),
  },
  deleteWebhookEndpoint: {
    action: 'endpoint.deleted',
    prepare: newEndpoint,
    call: (client, { id }: { id: string }) => client.query(DELETE_ENDPOINT, { id }),
  },
  sendTestWebhook: {
    action: 'endpoint.tested',
    prepare: newEndpoint,
    call: (client, { id }: { id: string }) => client.query(SEND_TEST, { endpointId: id }),
  },
  triggerEvent: {
    action: 'event.triggered',
    call: (client) => client.query(TRIGGER_EVENT, { type: 'subscription.expired' }),
  },
  resendWebhook: {
    action: 'delivery.replayed',
    prepare: async () => sendTestEvent(world.ctx, merchant.scope, { endpointId: (await newEndpoint()).id }),
    call: (client, { id }: { id: string }) => client.query(RESEND, { deliveryId: id }),
  },
  replayWebhooks: {
    action: 'delivery.replayed',
    prepare: newEndpoint,
    call: (client, { id }: { id: string }) => {
      const [from, to] = ['2026-12-01T00:00:00.000Z', '2026-12-02T00:00:00.000Z'];
      return client.query(REPLAY, { input: { endpointId: id, from, to } });
    },
  },
  updateMailSettings: {
    action: 'mail_settings.updated',
    call: (client) => client.query(UPDATE_MAIL_SETTINGS, { input: { reminderDays: 8 + (++serial % 20) } }),
  },
  updateSettings: {
    action: 'settings.updated',
    call: (client) => client.query(UPDATE_SETTINGS, { input: { maxFailures: (++serial % 19) + 1 } }),
  },
  setReceivingAccounts: {
    action: 'receiving_accounts.updated',
    call: (client) => client.query(SET_RECEIVING_ACCOUNTS, { mint: USDC_MINT, count: 2 + (++serial % 7) }),
  },
  cancelSubscription: {
    action: 'subscription.cancelled',
    prepare: async () => world.subscribe(merchant, plan, await world.newWallet()),
    call: (client, { id }: { id: string }) => client.query(CANCEL, { subscription: id, when: 'NOW' }),
  },
  advanceTestClock: {
    action: 'test_clock.advanced',
    call: (client) => client.query(ADVANCE_TEST_CLOCK, { seconds: 60 }),
  },
  updateCustomer: {
    action: 'customer.updated',
    prepare: async () => world.subscribe(merchant, plan, await world.newWallet()),
    call: (client, { customerId: id }: { customerId: string }) =>
      client.query(UPDATE_CUSTOMER, { id, email: `changed-${++serial}@example.com` }),
  },
  updateBillingDetails: {
    action: 'customer.updated',
    prepare: async () => world.subscribe(merchant, plan, await world.newWallet()),
    call: (client, { customerId: id }: { customerId: string }) =>
      client.query(UPDATE_BILLING_DETAILS, { id, input: { taxId: `changed-${++serial}` } }),
  },
  createPortalSession: {
    action: 'portal_session.created',
    prepare: async () => world.subscribe(merchant, plan, await world.newWallet()),
    call: (client, { customerId: customer }: { customerId: string }) =>
      client.query(CREATE_PORTAL_SESSION, { customer, flow: null, returnUrl: null }),
  },
  undoCancellation: {
    action: 'subscription.cancellation_undone',
    prepare: async () => {
      const { id } = await world.subscribe(merchant, plan, await world.newWallet());
      const nextPaymentAt = new Date(world.ctx.clock.now().getTime() + 1_000);
      return world.db.subscription.update({
        where: { id },
        data: { cancelAtPeriodEnd: true, nextPaymentAt },
      });
    },
    call: (client, { id }: { id: string }) => client.query(UNDO_CANCELLATION, { subscription: id }),
  },
  retryPayment: {
    action: 'payment.retried',
    prepare: async () => {
      const { id } = await world.subscribe(merchant, plan, await world.newWallet());
      const nextAttemptAt = new Date(world.ctx.clock.now().getTime() + 1_000);
      const data = { status: 'PAST_DUE' as const, failureCount: 1, nextAttemptAt };
      return world.db.subscription.update({ where: { id }, data });
    },
    call: (client, { id }: { id: string }) => client.query(RETRY_PAYMENT, { subscription: id }),
  },
  pauseSubscription: {
    action: 'subscription.paused',
    prepare: async () => world.subscribe(merchant, plan, await world.newWallet()),
    call: (client, { id }: { id: string }) => client.query(PAUSE, { subscription: id }),
  },
  skipNextPayment: {
    action: 'subscription.paused',
    prepare: async () => world.subscribe(merchant, plan, await world.newWallet()),
    call: (client, { id }: { id: string }) => client.query(SKIP, { subscription: id }),
  },
  unpauseSubscription: {
    action: 'subscription.unpaused',
    prepare: async () => {
      const subscription = await world.subscribe(merchant, plan, await world.newWallet());
      const pause = { subscription: subscription.id, periods: 2, keepsAccess: false };
      await pauseSubscription(world.ctx, merchant.scope, pause);
      return subscription;
    },
    call: (client, { id }: { id: string }) => client.query(UNPAUSE, { subscription: id }),
  },
  waivePayment: {
    action: 'payment.waived',
    prepare: async () => world.subscribe(merchant, plan, await world.newWallet()),
    call: (client, { id }: { id: string }) => client.query(WAIVE, { subscription: id }),
  },
  grantFreePeriods: {
    action: 'payment.waived',
    prepare: async () => world.subscribe(merchant, plan, await world.newWallet()),
    call: (client, { id }: { id: string }) => client.query(GRANT_FREE, { subscription: id }),
  },
  createRefund: {
    action: 'refund.created',
    prepare: newPaidPayment,
    call: (client, paymentId: string) => client.query(CREATE_REFUND, { input: { paymentId } }),
  },
  cancelRefund: {
    action: 'refund.cancelled',
    prepare: async () => createRefund(world.ctx, merchant.scope, { paymentId: await newPaidPayment() }),
    call: (client, { id }: { id: string }) => client.query(CANCEL_REFUND, { id }),
  },
  updateMerchantProfile: {
    action: 'merchant.updated',
    membersOnly: true,
    call: (client) => client.query(UPDATE_PROFILE, { input: { companyName: `Acme ${++serial}` } }),
  },
  uploadLogo: {
    action: 'merchant.updated',
    membersOnly: true,
    call: (client) => client.query(UPLOAD_LOGO, { png: createPng(++serial, 1).toString('base64') }),
  },
  dismissOnboarding: {
    action: 'onboarding.dismissed',
    membersOnly: true,
    prepare: () =>
      world.db.merchant.update({
        where: { id: merchant.merchant.id },
        data: { onboardingDismissedAt: null },
      }),
    call: (client) => client.query(DISMISS_ONBOARDING, {}),
  },
  confirmRestoreCheck: {
    action: 'restore.checked',
    membersOnly: true,
    isOfEnvironment: true,
    prepare: async () => {
      const number = ++serial + 1_000;
      await world.db.databaseTimeline.create({ data: { environment: 'TEST', number, identity: 'unknown' } });
      return number;
    },
    call: (client, number: number) => client.query(CONFIRM_RESTORE_CHECK, { number }),
  },
  inviteMember: {
    action: 'member.invited',
    membersOnly: true,
    call: async (client) =>
      client.query(INVITE_MEMBER, { walletAddress: await newWallet(), role: 'READ_ONLY' }),
  },
  changeMemberRole: {
    action: 'member.role_changed',
    membersOnly: true,
    prepare: newMember,
    call: (client, id: string) => client.query(CHANGE_MEMBER_ROLE, { id, role: 'DEVELOPER' }),
  },
  removeMember: {
    action: 'member.removed',
    membersOnly: true,
    prepare: newMember,
    call: (client, id: string) => client.query(REMOVE_MEMBER, { id }),
  },
  signIn: {
    action: 'member.signed_in',
    membersOnly: true,
    prepare: async () => (await browser.query(SIGN_IN_INPUT, {})).signInInput,
    call: async (client, input: { domain: string }) =>
      client.query(SIGN_IN, { output: await signInWithWallet(merchant.wallet, { ...input }) }),
  },
  chooseMerchant: {
    action: 'member.signed_in',
    membersOnly: true,
    call: (client) => client.query(CHOOSE_MERCHANT, { merchantId: merchant.merchant.id }),
  },
  signOut: {
    action: 'member.signed_out',
    membersOnly: true,
    call: (client) => client.query(SIGN_OUT, {}),
  },
  endMemberSession: {
    action: 'member.signed_out',
    membersOnly: true,
    prepare: async () => {
      const other = await openSignedInBrowser('Elsewhere');
      return (await other.query(SESSIONS, {})).viewer?.sessions.find(({ isCurrent }) => isCurrent)?.id;
    },
    call: (client, id: string) => client.query(END_MEMBER_SESSION, { id }),
  },
  renameMember: {
    action: 'member.renamed',
    membersOnly: true,
    prepare: newMember,
    call: (client, id: string) => client.query(RENAME_MEMBER, { id, name: 'Ada' }),
  },
  signOutEverywhere: {
    action: 'member.signed_out_everywhere',
    membersOnly: true,
    call: (client) => client.query(SIGN_OUT_EVERYWHERE, {}),
  },
};

/** Mutations without an entry, each with the reason. */
const withoutEntry: Record<string, string> = {
  createMerchant: 'its entry belongs to the created merchant: sign-up.test.ts',
  createCheckoutSession: 'too frequent for the log: the session itself is the record',
  completeCheckout: 'called by the customer, and recorded on chain',
  publishPlanTransaction: 'changes nothing: the signed transaction does, on chain',
  refundTransaction: 'changes nothing: the signed transaction does, on chain',
  receivingAccountsTransaction: 'changes nothing: the signed transaction does, on chain',
  sweepReceivingAccountsTransaction: 'changes nothing: the signed transaction does, on chain',
  repairPlanTransaction: 'changes nothing: the signed transaction does, on chain',
  deletePlanTransaction: 'changes nothing: the signed transaction does, on chain',
  sunsetPlanTransaction: 'changes nothing: the signed transaction does, on chain',
  resendEvent: 'changes nothing: publishes to subscribers',
  signInInput: 'has no member yet',
};

const cases = Object.entries(changes);

it('every mutation either leaves an entry or has a reason for none', () => {
  const known = [...Object.keys(changes), ...Object.keys(withoutEntry)].sort();
  expect(Object.keys(schema.getMutationType()?.getFields() ?? {}).sort()).toEqual(known);
});

describe.each(cases)('%s', (_, change) => {
  const { action, prepare, call, membersOnly, isOfEnvironment = !membersOnly } = change;
  async function entriesMadeBy(client: Client) {
    const prepared = await prepare?.();
    const before = await entriesOf(merchant.merchant.id);
    await call(client, prepared as never);
    return (await entriesOf(merchant.merchant.id)).slice(before.length);
  }

  it('by a member leaves one entry with the actor, time, address and action', async () => {
    const client = await openSignedInBrowser('Dashboard/1.0');
    const member = await world.db.member.findFirstOrThrow({
      where: { ...merchantScope(), walletAddress: merchant.wallet.address },
    });
    const createdAt = world.ctx.clock.now();
    const made = await entriesMadeBy(client);
    expect(made).toMatchObject([
      {
        action,
        environment: isOfEnvironment ? 'TEST' : null,
        actor: 'MEMBER',
        actorId: member.id,
        actorName: merchant.wallet.address,
        ipAddress: '127.0.0.1',
        userAgent: 'Dashboard/1.0',
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        createdAt,
      },
    ]);
    expect(made[0]?.targetId).not.toBe('');
  });

  it('by a key leaves one entry that names the key, if keys may call it', async () => {
    const client: Client = {
      query: (document, variables) => world.query(merchant.testKey, document, variables as never) as never,
    };
    if (membersOnly && action !== 'member.signed_in') {
      const prepared = await prepare?.();
      const before = await entriesOf(merchant.merchant.id);
      expect(await graphqlError(call(client, prepared as never))).toMatchObject({
        code: 'authentication_error',
      });
      expect(await entriesOf(merchant.merchant.id)).toEqual(before);
      return;
    }
    if (membersOnly) return;
    const lastFour = merchant.testKey.slice(-4);
    expect(await entriesMadeBy(client)).toMatchObject([
      { action, environment: 'TEST', actor: 'API_KEY', actorName: `test (${lastFour})` },
    ]);
  });

  it('does not happen if its entry cannot be written', async () => {
    const client = await openSignedInBrowser();
    const prepared = await prepare?.();
    await world.db.$executeRawUnsafe(`
      CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''full''; END'`);
    onTestFinished(async () => {
      await world.db.$executeRawUnsafe('DROP FUNCTION full_disk CASCADE');
    });
    await world.db.$executeRawUnsafe(
      'CREATE TRIGGER full_disk BEFORE INSERT ON "AuditEntry" FOR EACH ROW EXECUTE FUNCTION full_disk()',
    );
    const before = await readState();
    expect(await graphqlError(call(client, prepared as never))).toMatchObject({ code: 'internal_error' });
    expect(await readState()).toEqual(before);
  });
});

/** Tables that a failed call may change: the nonce of a failed sign-in is used up. */
const UNCOMPARED = ['RateWindow', 'SignInNonce'];
/** Columns that change by use, or before the test clock is moved. */
const UNCOMPARED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  ApiKey: ['lastUsedAt'],
  MemberSession: ['idleUntil', 'expiresAt'],
  PortalSession: ['idleUntil', 'expiresAt'],
};

/** A digest of every table and the network's time. */
async function readState() {
  const { db } = world;
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT table_name AS "name" FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`;
  const digests: Record<string, unknown> = {};
  for (const { name } of tables.filter((table) => !UNCOMPARED.includes(table.name))) {
    const [row] = await db.$queryRawUnsafe<{ digest: string }[]>(
      `SELECT md5(string_agg(r, ',' ORDER BY r)) AS "digest"
        FROM (SELECT (to_jsonb(t) - $1::text[])::text AS r FROM "${name}" t) AS rows`,
      UNCOMPARED_COLUMNS[name] ?? [],
    );
    digests[name] = row?.digest;
  }
  return { digests, nowMs: world.network.clock.nowMs() };
}

describe('the audit log', () => {
  const read = async (variables: object = {}, from = browser) =>
    (await from.query(AUDIT_LOG, variables)).auditLog;

  it('lists the changed fields with old and new values', async () => {
    browser = await openSignedInBrowser();
    const otherMerchant = await world.newKeyedMerchant();
    const owner = new Browser(world);
    await owner.signIn(otherMerchant.wallet);
    await owner.query(UPDATE_PROFILE, { input: { companyName: 'Renamed', logoUrl: null } });
    await owner.query(UPDATE_SETTINGS, { input: { maxFailures: 5, retryDelaysSeconds: [60, 300, 1800] } });
    const [settings, profile, signIn, ...made] = (await read({}, owner)).edges.map(({ node }) => node);
    expect(settings).toMatchObject({
      action: 'settings.updated',
      environment: 'TEST',
      changes: { maxFailures: { from: 3, to: 5 } },
    });
    expect(profile).toMatchObject({
      action: 'merchant.updated',
      environment: null,
      targetId: otherMerchant.merchant.id,
      changes: { companyName: { from: 'Acme', to: 'Renamed' } },
    });
    expect(signIn).toMatchObject({
      action: 'member.signed_in',
      targetId: otherMerchant.wallet.address,
      changes: {},
    });
    expect(
      made.map(({ action, actor, actorId, ipAddress }) => ({ action, actor, actorId, ipAddress })),
    ).toEqual(
      ['api_key.created', 'api_key.created', 'merchant.created'].map((action) => ({
        action,
        actor: 'OPERATOR',
        actorId: null,
        ipAddress: null,
      })),
    );
  });

  it('has no entry for a call that changed nothing or was refused', async () => {
    const before = await entriesOf(merchant.merchant.id);
    const { id } = await world.db.member.findFirstOrThrow({ where: { ...merchantScope(), role: 'OWNER' } });
    const { companyName } = await world.db.merchant.findUniqueOrThrow({
      where: { id: merchant.merchant.id },
    });
    await browser.query(UPDATE_PROFILE, { input: { companyName } });
    await browser.query(CHANGE_MEMBER_ROLE, { id, role: 'OWNER' });
    await browser.query(UPDATE_SETTINGS, { input: {} });
    await graphqlError(browser.query(CREATE_ENDPOINT, { url: 'nowhere' }));
    await graphqlError(
      browser.query(CREATE_PLAN, {
        input: { planId: 'pro', name: 'Pro', amount: '1', interval: 3600 },
      }),
    );
    await graphqlError(browser.query(REVOKE_API_KEY, { id }));
    expect(await entriesOf(merchant.merchant.id)).toEqual(before);
  });

  it('is read by cursor, by action, by target and by actor', async () => {
    const all = (await entriesOf(merchant.merchant.id)).map(({ id }) => id).reverse();
    const found: string[] = [];
    let after: string | undefined;
    do {
      const page = await read({ first: 7, ...(after && { after }) });
      found.push(...page.edges.map(({ node }) => node.id));
      after = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? undefined) : undefined;
    } while (after);
    expect(found).toEqual(all);
    const entries = await entriesOf(merchant.merchant.id);
    const byKey = entries.filter(({ actor }) => actor === 'API_KEY');
    const target = byKey[0];
    if (!target) throw new Error('No entry of a key');
    const idsOf = async (filter: object) =>
      (await read({ first: 100, ...filter })).edges.map(({ node }) => node.id);
    expect(await idsOf({ actorId: target.actorId })).toEqual(byKey.map(({ id }) => id).reverse());
    expect(await idsOf({ action: target.action, targetId: target.targetId })).toContain(target.id);
    expect(await idsOf({ action: 'plan.created', targetId: 'no such plan' })).toEqual([]);
    for (const [param, value] of [
      ['action', 'plan.exploded'],
      ['actorId', 'x'],
    ] as const) {
      expect(await graphqlError(browser.query(AUDIT_LOG, { [param]: value }))).toMatchObject({
        code: 'invalid_request',
        param,
      });
    }
  });

  it('contains only the merchant’s own entries', async () => {
    const other = await world.newMerchant();
    const otherBrowser = new Browser(world);
    await otherBrowser.signIn(other.wallet);
    const ids = (await read({ first: 100 }, otherBrowser)).edges.map(({ node }) => node.id);
    expect(ids).toEqual((await entriesOf(other.merchant.id)).map(({ id }) => id).reverse());
    const [mine] = await entriesOf(merchant.merchant.id);
    const after = Buffer.from(`GPC:S:${mine?.id}`).toString('base64');
    expect(await graphqlError(otherBrowser.query(AUDIT_LOG, { after }))).toMatchObject({ param: 'after' });
  });

  it('contains no secret, and cuts long user agents', async () => {
    const client = await openSignedInBrowser('x'.repeat(5_000));
    const { createApiKey } = await client.query(CREATE_API_KEY, { name: 'secret' });
    const { createWebhookEndpoint } = await client.query(CREATE_ENDPOINT, { url: 'https://x.example' });
    const entries = await entriesOf(merchant.merchant.id);
    expect(entries.at(-1)?.userAgent).toHaveLength(300);
    const text = JSON.stringify(entries);
    for (const secret of [createApiKey.apiKey, createWebhookEndpoint.secret, ...client.cookies.values()]) {
      expect(text).not.toContain(secret.slice(8));
    }
  });

  it('cannot be changed', async () => {
    const [first] = await entriesOf(merchant.merchant.id);
    const where = { id: first?.id ?? '' };
    await expect(world.db.auditEntry.update({ where, data: { actorName: 'x' } })).rejects.toThrow(
      'AuditEntry_is_kept',
    );
    await expect(world.db.auditEntry.delete({ where })).rejects.toThrow('AuditEntry_is_kept');
    expect(await world.db.auditEntry.findUnique({ where })).toEqual(first);
  });
});
