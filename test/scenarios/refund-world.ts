import { AccountRole, type Address, address, type Instruction, type KeyPairSigner } from '@solana/kit';
import { getTransferCheckedInstruction, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { afterAll, beforeAll } from 'vitest';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { tokenAccountAddress } from '../../src/chain/accounts/addresses.ts';
import { memoInstruction } from '../../src/chain/transactions/memo.ts';
import { finalizePayments } from '../../src/domain/billing/settle/finalize-payments.ts';
import { updateMailSettings } from '../../src/domain/messages/mail/update-mail-settings.ts';
import { type SmtpReceiver, startSmtpReceiver } from '../../tools/smtp-receiver.ts';
import type { Refund } from '../../tools/world/merchant.ts';
import { type Asset, type Subscriber, startWorld, type World } from './world.ts';

export const YEAR = 8_760 * 3_600;
export const USDC: Asset = { mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM_ADDRESS };

/** The mails and the world of the file that runs. */
export let smtp: SmtpReceiver;
export let world: World;
let planId: string;

/** Starts a world with a yearly plan, in which refunds are mailed, for the tests of a file. */
export function useRefundWorld(): void {
  beforeAll(async () => {
    smtp = await startSmtpReceiver();
    world = await startWorld({ mail: smtp.config });
    await updateMailSettings(world.ctx, world.scope, { templates: ['REFUND'] });
    planId = await world.plan({ interval: YEAR });
  });
  afterAll(async () => {
    await world.close();
    await smtp.close();
  });
}

export interface PaidCustomer extends Subscriber {
  readonly paymentId: string;
}

/** Subscribes a customer, and waits until the payment of PRICE is final. */
export async function subscribeAndPay(): Promise<PaidCustomer> {
  const customer = await world.subscriber(planId);
  await world.until('the payment is final', async () => {
    await finalizePayments(world.ctx, 'TEST');
    return (await world.books(customer.id))[0]?.finalized === true;
  });
  const [payment] = await world.books(customer.id);
  return { ...customer, paymentId: payment?.id ?? '' };
}

export const create = (paymentId: string, more: object = {}): Promise<Refund> =>
  world.backend.createRefund({ paymentId, ...more });
export const refundOf = (id: string): Promise<Refund> => world.backend.refund(id);
export const transactionOf = (id: string): Promise<string> => world.backend.refundTransaction(id);
export const cancel = (id: string): Promise<Refund> => world.backend.cancelRefund(id);

export const untilSettled = (id: string) =>
  world.until('the refund is settled', async () => (await refundOf(id)).status === 'SUCCEEDED');

export const refundEvents = ({ id }: Subscriber) =>
  world
    .webhooks(id)
    .filter(({ event }) => event === 'payment.refunded')
    .map(({ data }) => data);

export interface Transfer {
  readonly from: KeyPairSigner;
  /** The wallet whose tokens are sent (default `from`). */
  readonly owner?: Address;
  readonly to: Address;
  readonly amount: bigint;
  readonly asset?: Asset;
  readonly references?: readonly string[];
}

/** The transfer instruction that a wallet builds from a Solana Pay link. */
export async function transfer({
  from,
  owner = from.address,
  to,
  amount,
  asset = USDC,
  references = [],
}: Transfer): Promise<Instruction> {
  const { mint, tokenProgram } = asset;
  const [source, destination] = await Promise.all([
    tokenAccountAddress(owner, mint, tokenProgram),
    tokenAccountAddress(to, mint, tokenProgram),
  ]);
  const instruction = getTransferCheckedInstruction(
    { source, mint, destination, authority: from, amount, decimals: 6 },
    { programAddress: tokenProgram },
  );
  const referenced = references.map((reference) => ({
    address: address(reference),
    role: AccountRole.READONLY,
  }));
  return { ...instruction, accounts: [...instruction.accounts, ...referenced] };
}

/** Pays a link with the merchant's wallet. */
export async function payLink(link: string | null): Promise<void> {
  const url = new URL(link ?? '');
  const param = (name: string) => url.searchParams.get(name) ?? '';
  await world.land(world.merchantWallet, [
    memoInstruction(param('memo')),
    await transfer({
      from: world.merchantWallet,
      to: address(url.pathname),
      amount: BigInt(Math.round(Number(param('amount')) * 1e6)),
      asset: { ...USDC, mint: address(param('spl-token')) },
      references: [param('reference')],
    }),
  ]);
}
