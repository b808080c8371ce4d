import { type Address, address, type Instruction, type KeyPairSigner } from '@solana/kit';
import { getTransferSubscriptionInstruction } from '@solana/subscriptions';
import {
  authorityAddress,
  EVENT_AUTHORITY,
  subscriptionAddress,
  tokenAccountAddress,
} from '../../src/chain/accounts/addresses.ts';

/** A plan on chain. */
export interface PulledPlan {
  readonly address: string;
  readonly mint: string;
  readonly tokenProgram: string;
}

/** The pull of a plan's owner, who may collect without dues and need not be a merchant of it. */
export async function pullInstruction(
  owner: KeyPairSigner,
  plan: PulledPlan,
  payer: Address,
  amount: bigint,
): Promise<Instruction> {
  const planPda = address(plan.address);
  const mint = address(plan.mint);
  const tokenProgram = address(plan.tokenProgram);
  return getTransferSubscriptionInstruction({
    subscriptionPda: await subscriptionAddress(planPda, payer),
    planPda,
    subscriptionAuthority: await authorityAddress(payer, mint),
    delegatorAta: await tokenAccountAddress(payer, mint, tokenProgram),
    receiverAta: await tokenAccountAddress(owner.address, mint, tokenProgram),
    caller: owner,
    tokenMint: mint,
    tokenProgram,
    eventAuthority: EVENT_AUTHORITY,
    transferData: { amount, delegator: payer, mint },
  });
}
