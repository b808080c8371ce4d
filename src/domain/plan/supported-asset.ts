import type { Address } from '@solana/kit';
import { tokenAccountAddress } from '../../chain/accounts/addresses.ts';
import { type ChainAccount, readAccounts } from '../../chain/accounts/read-accounts.ts';
import {
  ACCOUNT_TYPE_AT,
  isConfidentialOnly,
  obstacleOf,
  requiresMemo,
} from '../../chain/accounts/token-extensions.ts';
import type { Chain } from '../../chain/chain.ts';
import { TOKEN_2022_PROGRAM } from '../../chain/rpc/programs-read.ts';
import { BillingError, invalidRequest } from '../../errors.ts';

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

const MINT_BYTES = 82;
const MINT_INITIALIZED_AT = 45;
const ACCOUNT_TYPE_MINT = 1;

/**
 * Returns the token program of a token in which `merchant` can be paid.
 *
 * @throws BillingError invalid_request, param `mint`, if it is not a mint or cannot be collected;
 *   without param if a token program owns the merchant's wallet
 */
export async function requireAsset(chain: Chain, mint: Address, merchant: Address): Promise<Address> {
  const [account, wallet] = await readAccounts(chain, [mint, merchant]);
  if (!account) throw invalidRequest('mint', `The account ${mint} does not exist on this cluster.`);
  if (!isMint(account)) throw invalidRequest('mint', `${mint} is not a token mint.`);
  if (wallet && isTokenProgram(wallet.owner)) {
    throw new BillingError(
      'invalid_request',
      `The merchant's wallet ${merchant} is an account of the token program (for example a native multisig), which cannot own a plan.`,
    );
  }
  const tokenProgram = account.owner;
  if (tokenProgram === TOKEN_PROGRAM) return tokenProgram;
  const obstacle = obstacleOf(account.data);
  if (obstacle) {
    throw invalidRequest('mint', `The token ${mint} has ${obstacle}, which subscriptions do not support.`);
  }
  const [receiver] = await readAccounts(chain, [await tokenAccountAddress(merchant, mint, tokenProgram)]);
  if (receiver?.owner !== tokenProgram) return tokenProgram;
  if (requiresMemo(receiver.data)) {
    throw invalidRequest(
      'mint',
      `The merchant's token account of ${mint} requires a memo on incoming transfers, which subscriptions do not support.`,
    );
  }
  if (isConfidentialOnly(receiver.data)) {
    throw invalidRequest(
      'mint',
      `The merchant's token account of ${mint} accepts only confidential transfers, which subscriptions do not support.`,
    );
  }
  return tokenProgram;
}

/** Whether the owner of an account is a token program, so that the account is not a wallet. */
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
