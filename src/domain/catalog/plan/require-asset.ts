import type { Address } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { decodeTokenAccount } from '../../../chain/accounts/accounts.ts';
import { tokenAccountAddress } from '../../../chain/accounts/addresses.ts';
import { isMint, isTokenProgram } from '../../../chain/accounts/is-mint.ts';
import { PART_BYTES, readAccounts } from '../../../chain/accounts/read-accounts.ts';
import {
  accountsStartFrozen,
  isConfidentialOnly,
  obstacleOf,
  requiresMemo,
} from '../../../chain/accounts/token-extensions.ts';
import type { Chain } from '../../../chain/chain.ts';
import { BillingError, invalidRequest } from '../../../errors.ts';

/**
 * Returns the token program of a token in which `merchant` can be paid.
 *
 * @throws BillingError invalid_request, param `mint`, if it is not a mint or cannot be collected;
 *   without param if a token program owns the merchant's wallet
 */
export async function requireAsset(chain: Chain, mint: Address, merchant: Address): Promise<Address> {
  const [account, wallet] = await readAccounts(chain, [mint, merchant], 'extensions');
  if (!account) throw invalidRequest('mint', `The account ${mint} does not exist on this cluster.`);
  if (!isMint(account)) throw invalidRequest('mint', `${mint} is not a token mint.`);
  if (wallet && isTokenProgram(wallet.owner)) {
    throw new BillingError(
      'invalid_request',
      `The merchant's wallet ${merchant} is an account of the token program (for example a native multisig), which cannot own a plan.`,
    );
  }
  const tokenProgram = account.owner;
  if (tokenProgram === TOKEN_PROGRAM_ADDRESS) return tokenProgram;
  if (account.isLonger) {
    throw invalidRequest(
      'mint',
      `The mint ${mint} has more than ${PART_BYTES.extensions} bytes, which subscriptions do not support.`,
    );
  }
  const { assets = [], defaultMint } = chain.config;
  const isListed = mint === defaultMint || assets.some((asset) => asset.mint === mint);
  const obstacle = obstacleOf(account.data, isListed);
  if (obstacle) {
    throw invalidRequest('mint', `The token ${mint} has ${obstacle}, which subscriptions do not support.`);
  }
  const address = await tokenAccountAddress(merchant, mint, tokenProgram);
  const [receiver] = await readAccounts(chain, [address], 'extensions');
  const startsFrozen = accountsStartFrozen(account.data);
  if (receiver?.owner !== tokenProgram) {
    if (!startsFrozen) return tokenProgram;
    throw invalidRequest(
      'mint',
      `New token accounts of ${mint} are frozen (default account state, extension 6), and the merchant has none. Create it, and ask the issuer of the token to thaw it.`,
    );
  }
  if (startsFrozen && decodeTokenAccount(receiver.data).frozen) {
    throw invalidRequest(
      'mint',
      `New token accounts of ${mint} are frozen (default account state, extension 6). Ask the issuer of the token to thaw that of the merchant.`,
    );
  }
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
