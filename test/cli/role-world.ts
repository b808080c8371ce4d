import { Connection, Keypair } from '@solana/web3.js';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { CustomerApp } from '../../tools/world/customer-app.ts';
import { DuesProcess, runDues } from '../../tools/world/dues-process.ts';
import { Merchant } from '../../tools/world/merchant.ts';
import { startNetwork } from '../../tools/world/network.ts';
import { roleVariables } from '../../tools/world/role-variables.ts';
import { startReceiver } from '../../tools/world/webhook-receiver.ts';

export const HOUR = 3_600;
export const PRICE_UNITS = 2_500_000n;

/** A merchant with its server, and a network. The roles of dues are separate processes. */
export type RoleWorld = Awaited<ReturnType<typeof startRoleWorld>>;

export async function startRoleWorld(stores: {
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  /** The port of the API (default: a free one). */
  readonly port?: number;
}) {
  const network = await startNetwork({ slotMs: 50 });
  const { client } = network;
  const receiver = await startReceiver();
  const merchantWallet = await network.newWallet();
  await client.untilFunded(merchantWallet.address);
  const env = roleVariables(stores.databaseUrl, network.localnet, {
    REDIS_URL: stores.redisUrl,
    PORT: String(stores.port ?? 0),
  });
  const processes: DuesProcess[] = [];

  return {
    env,
    merchantWallet,
    /** Starts a role. `databaseUrl` replaces the URL of the database. */
    async start(role: string, databaseUrl = env.DATABASE_URL): Promise<DuesProcess> {
      const started = new DuesProcess([role], { ...env, DATABASE_URL: databaseUrl });
      processes.push(started);
      await started.printed(/"msg":"started"/);
      return started;
    },
    /** Creates an API key of the merchant with the command. */
    async createKey(): Promise<string> {
      const created = await runDues(['keys', 'create', '--wallet', merchantWallet.address], env);
      expect(created.stderr).toContain(merchantWallet.address);
      expect(created.stdout).toMatch(/^sk_test_\S+\n$/);
      return created.stdout.trim();
    },
    /** The merchant's backend, and its customers' app, at a running API. */
    async connectMerchant(api: DuesProcess, apiKey: string) {
      const [, port] = await api.printed(/"port":(\d+)/);
      const url = `http://127.0.0.1:${port}`;
      const backend = new Merchant(url, apiKey, merchantWallet, network.chain);
      return {
        url,
        createEndpoint: (hook: string) => backend.listenAt(hook),
        publishPlan: () =>
          backend.publishPlan({
            planId: 'hourly',
            name: 'Hourly',
            amount: PRICE_UNITS,
            intervalSeconds: HOUR,
          }),
        async checkOut(customer: Keypair): Promise<string> {
          const app = new CustomerApp(url, new Connection(network.rpcUrl, 'confirmed'), customer);
          const response = await fetch(`${url}/checkout/create`, {
            method: 'POST',
            headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
            body: JSON.stringify({ planId: 'hourly', customerEmail: 'ada@example.com' }),
          });
          const { sessionId } = (await response.json()) as { sessionId: string };
          const subscription = await app.approve(sessionId);
          await app.complete();
          return subscription;
        },
        paymentCount: (subscription: string) => backend.paymentCount(subscription),
      };
    },
    receiverUrl: receiver.url,
    async newCustomer(): Promise<Keypair> {
      const customer = Keypair.generate();
      const wallet = customer.publicKey.toBase58();
      await client.setTokens(wallet, 1_000_000_000n);
      await client.fund(wallet);
      return customer;
    },
    travel: network.travel,
    /** Waits until the network has produced this many more blocks. */
    blocks: (count: number) => client.untilBlocks(count),
    /** The payment numbers of the received webhooks. Verifies the signature of each webhook. */
    readPaymentNumbers(secret: string, subscriptionId: string): number[] {
      // Webhooks are delivered at least once: the same event may arrive twice, with the same id.
      const numbers = new Map<string, number>();
      for (const { headers, body } of receiver.received) {
        const { id, event, data } = new Webhook(secret).verify(
          body,
          headers as Record<string, string>,
        ) as PaymentWebhook;
        expect(headers['webhook-id']).toBe(id);
        const isPayment =
          event === 'subscription.payment_succeeded' && data.subscriptionId === subscriptionId;
        if (isPayment) numbers.set(id, data.paymentNumber);
      }
      return [...numbers.values()];
    },
    tokensOf: (wallet: string) => client.tokensOf(wallet),
    async close(): Promise<void> {
      await Promise.all(processes.map((process) => process.ended('SIGKILL')));
      await receiver.close();
      await network.close();
    },
  };
}

interface PaymentWebhook {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly subscriptionId: string; readonly paymentNumber: number };
}
