import type { Address } from '@solana/kit';
import { Command } from 'commander';
import { publicPart, rootMessage } from '../../src/observability/public-urls.ts';
import { approveCheckout } from '../approve-checkout.ts';
import { parseCheckoutUrl, parseHttpUrl, parseWholeNumber } from '../arguments.ts';
import { CheckoutSession } from '../checkout-session.ts';
import { newCustomerWallet, readCustomerWallet } from '../customer-wallet.ts';
import { exitOnFailure } from '../expected-failure.ts';
import { fundWallet } from '../fund-wallet.ts';

interface Flags {
  readonly rpc: string;
  readonly wallet?: string;
  readonly data: string;
  readonly payments: number;
}

/** The checkout is not open, or the network cannot fund a wallet. */
export class SubscribeRefused extends Error {
  override name = 'SubscribeRefused';
}

/**
 * `dues subscribe <checkout url>`: completes a checkout on a local network, as a customer with a
 * wallet would.
 */
export function subscribeCommand(): Command {
  return new Command('subscribe')
    .argument('<checkout url>', 'the url of a created checkout', parseCheckoutUrl)
    .option(
      '--rpc <url>',
      'JSON-RPC of the local network of the server',
      parseHttpUrl,
      'http://127.0.0.1:8899',
    )
    .option('--wallet <file>', 'key file of a customer (default: a new wallet)')
    .option('--data <folder>', 'folder for the key of a new wallet', '.data')
    .option('--payments <count>', 'number of payments that the wallet is funded for', parseWholeNumber, 12)
    .addHelpText('after', '\nWorks only on a local network, which funds the wallet.')
    .action((url: string, flags: Flags) => exitOnFailure('subscribe', subscribe(url, flags)));
}

async function subscribe(url: string, { rpc, wallet: walletFile, data, payments }: Flags): Promise<void> {
  const session = new CheckoutSession(url);
  const { status, environment, plan, merchant } = await session.read();
  if (environment !== 'test') throw new SubscribeRefused('the checkout is live: it is for real money');
  if (status !== 'open') throw new SubscribeRefused(`the checkout is ${status}: create another one`);
  const wallet = await (walletFile ? readCustomerWallet(walletFile) : newCustomerWallet(data));
  const { address } = wallet.signer;
  const network = `the network at ${publicPart(rpc)}`;
  const assets = { mint: plan.mint as Address, amount: BigInt(plan.amount) * BigInt(payments) };
  await fundWallet(rpc, address, assets).catch((cause: unknown) => {
    const problem = `cannot fund a wallet, which only a local network can: ${rootMessage(cause)}`;
    throw new SubscribeRefused(`${network} ${problem}`, { cause });
  });
  await wallet.keep();
  console.log(`Wallet ${address} has ${payments} payments' worth on ${network}. Its key: ${wallet.file}`);
  const subscription = await approveCheckout(rpc, session, wallet.signer);
  console.log(`Subscribed to ${plan.planId} of ${merchant.companyName}: ${subscription}`);
}
