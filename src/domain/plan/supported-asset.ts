import type { Address } from '@solana/kit';
import { tokenAccountAddress } from '../../chain/addresses.ts';
import type { Chain } from '../../chain/chain.ts';
import { type ChainAccount, readAccounts } from '../../chain/read-accounts.ts';
import { ACCOUNT_TYPE_AT, extensionsOf, MEMO_TRANSFER } from '../../chain/token-extensions.ts';
import { BillingError, invalidRequest } from '../../errors.ts';

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';

const MINT_BYTES = 82;
const MINT_INITIALIZED_AT = 45;
const ACCOUNT_TYPE_MINT = 1;

/** Extensions of a mint that the Subscriptions program refuses (its errors 118 to 124), or that stop every pull. */
const REFUSED_MINT_EXTENSIONS: Readonly<Record<number, string>> = {
  1: 'a transfer fee',
  3: 'a mint close authority',
  4: 'confidential transfers',
  9: 'non-transferable tokens',
  12: 'a permanent delegate',
  14: 'a transfer hook',
  26: 'transfers that can be paused',
};

/**
 * Answers with the token program of an asset that `merchant` can be paid in.
 *
 * @throws BillingError invalid_request, param `mint`: no mint, or one that cannot be collected
 */
export async function requireAsset(chain: Chain, mint: Address, merchant: Address): Promise<Address> {
  const [account, wallet] = await readAccounts(chain, [mint, merchant]);
  if (!account) throw invalidRequest('mint', `There is no account ${mint} on this cluster.`);
  if (!isMint(account)) throw invalidRequest('mint', `${mint} is not a token mint.`);
  if (wallet && isTokenProgram(wallet.owner)) {
    throw new BillingError(
      'invalid_request',
      `The merchant's wallet ${merchant} is an account of the token program (a native multisig, say), which cannot own a plan.`,
    );
  }
  const tokenProgram = account.owner;
  if (tokenProgram === TOKEN_PROGRAM) return tokenProgram;
  for (const type of extensionsOf(account.data).keys()) {
    const what = REFUSED_MINT_EXTENSIONS[type];
    if (what) {
      throw invalidRequest('mint', `The token ${mint} has ${what}, which subscriptions do not support.`);
    }
  }
  const [receiver] = await readAccounts(chain, [await tokenAccountAddress(merchant, mint, tokenProgram)]);
  if (receiver?.owner === tokenProgram && extensionsOf(receiver.data).has(MEMO_TRANSFER)) {
    throw invalidRequest(
      'mint',
      `The merchant's token account of ${mint} requires a memo on incoming transfers, which subscriptions do not support.`,
    );
  }
  return tokenProgram;
}

/** An account that only a token program can sign for is nobody's wallet. */
export function isTokenProgram(owner: Address): boolean {
  return owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM;
}

function isMint({ owner, data }: ChainAccount): boolean {
  if (!isTokenProgram(owner) || data[MINT_INITIALIZED_AT] !== 1) return false;
  return (
    data.length === MINT_BYTES ||
    (owner === TOKEN_2022_PROGRAM &&
      data.length > ACCOUNT_TYPE_AT &&
      data[ACCOUNT_TYPE_AT] === ACCOUNT_TYPE_MINT)
  );
}
