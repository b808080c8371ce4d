import type { Address } from '@solana/kit';
import type { AccountWrite, Commitment } from '../accounts.ts';
import type { Network } from '../network.ts';
import { type AnyAccountEncoding, encodeAccount } from '../rpc/account-encoding.ts';
import { encodingOptionsOf } from '../rpc/account-methods.ts';
import { commitmentOf } from '../rpc/context.ts';
import { configOf } from '../rpc/params.ts';
import { parseAddress, type Topic, type Watch, withSlot } from './topic.ts';
import { WatchIndex } from './watch-index.ts';

export interface AccountParams {
  readonly address: Address;
  readonly commitment: Commitment;
  readonly encoding: AnyAccountEncoding;
}

/**
 * accountSubscribe: `[address, {encoding, commitment}]`. A closed account is reported with 0
 * lamports. `dataSlice` is accepted and ignored, as on a cluster.
 */
export class AccountTopic implements Topic<AccountParams> {
  readonly name = 'account';
  readonly arity = [1, 2] as const;
  #network: Network;
  #watches = new WatchIndex<Address, AccountParams>(({ address }) => address);

  constructor(network: Network) {
    this.#network = network;
  }

  parse([address, config]: readonly unknown[]): AccountParams {
    const { encoding } = encodingOptionsOf(config, 'binary');
    const commitment = commitmentOf(configOf(config).commitment);
    return { address: parseAddress(address, 'pubkey'), commitment, encoding };
  }

  add(watch: Watch<AccountParams>): void {
    this.#watches.add(watch);
  }

  remove(watch: Watch<AccountParams>): void {
    this.#watches.remove(watch);
  }

  writesReached(commitment: Commitment, slot: number, writes: Iterable<AccountWrite>): void {
    if (this.#watches.isEmpty(commitment)) return;
    const readMint = (address: Address) => this.#network.getAccount(address, commitment);
    for (const { address, account } of writes) {
      for (const watch of this.#watches.get(commitment, address)) {
        const { encoding } = watch.params;
        watch.notify(withSlot(slot, encodeAccount(account, { encoding }, { readMint })));
      }
    }
  }
}
