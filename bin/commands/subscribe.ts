import type { Address } from '@solana/kit';
import { Command } from 'commander';
import { publicPart, rootMessage } from '../../src/chain/endpoint-words.ts';
import { approveCheckout } from '../approve-checkout.ts';
import { checkoutUrl, httpUrl, wholeNumber } from '../arguments.ts';
import { CheckoutSession } from '../checkout-session.ts';
import { newCustomerWallet, readCustomerWallet } from '../customer-wallet.ts';
import { orExplain } from '../expected-failure.ts';
import { fundWallet } from '../fund-wallet.ts';

interface Flags {
  readonly rpc: string;
  readonly wallet?: string;
  readonly data: string;
  readonly payments: number;
}

/** Nobody subscribed: the checkout takes nobody, or the network gives nothing away. */
export class SubscribeRefused extends Error {
  override name = 'SubscribeRefused';
}

/** `dues subscribe <checkout url>`: goes through a checkout on a local network, as a customer with a wallet would. */
export function subscribeCommand(): Command {
  return new Command('subscribe')
    .argument('<checkout url>', 'the url that creating a checkout answered with', checkoutUrl)
    .option(
      '--rpc <url>',
      'JSON-RPC of the local network that the server works on',
      httpUrl,
      'http://127.0.0.1:8899',
    )
    .option('--wallet <file>', "a customer's key, as made before (default: a new wallet)")
    .option('--data <folder>', "where a new wallet's key is kept", '.data')
    .option('--payments <count>', "how many payments' worth the wallet then has", wholeNumber, 12)
    .addHelpText('after', '\nOnly on a local network, which gives the wallet its money.')
    .action((url: string, flags: Flags) => orExplain('subscribe', subscribe(url, flags)));
}

async function subscribe(url: string, { rpc, wallet: walletFile, data, payments }: Flags): Promise<void> {
  const session = new CheckoutSession(url);
  const { status, environment, plan, merchant } = await session.read();
  if (environment !== 'test') throw new SubscribeRefused('the checkout is a live one, for real money');
  if (status !== 'open') throw new SubscribeRefused(`the checkout is ${status}: make another one`);
  const wallet = await (walletFile ? readCustomerWallet(walletFile) : newCustomerWallet(data));
  const { address } = wallet.signer;
  const network = `the network at ${publicPart(rpc)}`;
  const assets = { mint: plan.mint as Address, amount: BigInt(plan.amount) * BigInt(payments) };
  await fundWallet(rpc, address, assets).catch((cause: unknown) => {
    const why = `gives nothing to a wallet, as only a local one does: ${rootMessage(cause)}`;
    throw new SubscribeRefused(`${network} ${why}`, { cause });
  });
  await wallet.keep();
  console.log(`Wallet ${address} has ${payments} payments' worth on ${network}. Its key: ${wallet.file}`);
  const subscription = await approveCheckout(rpc, session, wallet.signer);
  console.log(`Subscribed to ${plan.planId} of ${merchant.companyName}: ${subscription}`);
}
