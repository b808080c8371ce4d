import type { Address } from '@solana/kit';
import type { AccountWrite, Commitment } from '../accounts.ts';
import type { Network } from '../network.ts';
import { encodeAccount } from '../rpc/account-encoding.ts';
import { type AccountFilter, matches, parseFilters } from '../rpc/account-filter.ts';
import { encodingOptionsOf } from '../rpc/account-methods.ts';
import { commitmentOf } from '../rpc/context.ts';
import { configOf } from '../rpc/params.ts';
import type { AccountParams } from './account.ts';
import { parseAddress, type Topic, type Watch, withSlot } from './topic.ts';
import { WatchIndex } from './watch-index.ts';

interface ProgramParams extends Omit<AccountParams, 'address'> {
  readonly program: Address;
  readonly filters: readonly AccountFilter[];
}

/**
 * programSubscribe: `[program, {filters, encoding, commitment}]`. It reports every write after
 * which the program owns the account and the filters match. As on a cluster, an account that is
 * closed or leaves the program is therefore not reported. `dataSlice` and `withContext` are
 * accepted and ignored.
 */
export class ProgramTopic implements Topic<ProgramParams> {
  readonly name = 'program';
  readonly arity = [1, 2] as const;
  #network: Network;
  #watches = new WatchIndex<Address, ProgramParams>(({ program }) => program);

  constructor(network: Network) {
    this.#network = network;
  }

  parse([program, config]: readonly unknown[]): ProgramParams {
    const settings = configOf(config);
    const { encoding } = encodingOptionsOf(config, 'binary');
    const commitment = commitmentOf(settings.commitment);
    const filters = parseFilters(settings.filters);
    return { program: parseAddress(program, 'pubkey'), commitment, encoding, filters };
  }

  add(watch: Watch<ProgramParams>): void {
    this.#watches.add(watch);
  }

  remove(watch: Watch<ProgramParams>): void {
    this.#watches.remove(watch);
  }

  writesReached(commitment: Commitment, slot: number, writes: Iterable<AccountWrite>): void {
    if (this.#watches.isEmpty(commitment)) return;
    const readMint = (address: Address) => this.#network.getAccount(address, commitment);
    for (const { address, account } of writes) {
      if (account.lamports === 0n) continue;
      for (const watch of this.#watches.get(commitment, account.owner)) {
        const { encoding, filters } = watch.params;
        if (!matches(filters, account)) continue;
        const value = { pubkey: address, account: encodeAccount(account, { encoding }, { readMint }) };
        watch.notify(withSlot(slot, value));
      }
    }
  }
}
