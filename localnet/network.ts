import { EventEmitter } from 'node:events';
import type { Address } from '@solana/kit';
import type { AccountState, AccountWrite, Commitment } from './accounts.ts';
import { Bank } from './bank.ts';
import { BlockProduction, DEFAULT_SLOT_MS } from './block-production.ts';
import { Chain } from './chain.ts';
import { NetworkClock } from './clock.ts';
import { Faults } from './faults.ts';
import { execute } from './landing.ts';
import { Ledger } from './ledger.ts';
import type { NetworkEvents } from './network-events.ts';
import type { NetworkOptions, NetworkState } from './network-options.ts';
import { GENESIS_HASH, genesisBlock } from './new-block.ts';
import { makeReady, type Runtime } from './runtime.ts';
import { type ParsedTransaction, parseTransaction } from './transaction.ts';
import { type Trial, tryOut } from './trial.ts';
import { VirtualMachine } from './virtual-machine.ts';

/**
 * One Solana cluster in memory. Slots follow each other on a timer; a transaction is processed at once in the
 * current slot, confirmed when the next slot begins and finalized 32 slots later. Time can be moved forward: the
 * slots in between then count as produced (so blockhashes age with them) but leave no block behind.
 *
 * The time of a slot is fixed when it begins: it is what programs read, and the time of the block.
 */
export class Network extends EventEmitter<NetworkEvents> {
  readonly clock: NetworkClock;
  readonly ledger: Ledger;
  readonly faults = new Faults();
  readonly genesisHash = GENESIS_HASH;
  readonly slotMs: number;
  readonly #vm: VirtualMachine;
  readonly #chain: Chain;
  readonly #bank: Bank;
  readonly #runtime: Runtime;
  readonly #production: BlockProduction;

  constructor(options: NetworkOptions = {}) {
    super();
    this.setMaxListeners(0);
    const { state } = options;
    this.slotMs = options.slotMs ?? DEFAULT_SLOT_MS;
    this.ledger = new Ledger(options.maxTransactions ?? 20_000, options.maxBlocks ?? 50_000);
    this.clock = new NetworkClock(state?.timeMs ?? options.startMs ?? Date.now());
    if (state?.paused) this.clock.pause();
    this.#vm = new VirtualMachine(state?.vm);
    this.#chain = new Chain({
      past: state?.blocks ?? [genesisBlock(this.#vm.slot, this.clock.nowMs())],
      slotMs: this.slotMs,
      clock: this.clock,
      ledger: this.ledger,
      observer: {
        timeChanged: (time) => this.#vm.setClock(time),
        slotChanged: (update) => {
          if (update.status === 'finalized') this.#bank.prune(update.slot);
          this.emit('slot', update);
        },
        blockCompleted: (block) => this.emit('block', block),
      },
    });
    this.#bank = new Bank({
      vm: this.#vm,
      chain: this.#chain,
      saved: state,
      onWrite: (write) => this.emit('account', write),
    });
    this.#runtime = { vm: this.#vm, chain: this.#chain, bank: this.#bank };
    this.#production = new BlockProduction({
      chain: this.#chain,
      clock: this.clock,
      slotMs: this.slotMs,
      delayed: (state?.pending ?? []).map(({ slot, wire }) => ({
        slot,
        transaction: parseTransaction(wire),
      })),
      land: (transaction) => this.land(transaction),
    });
    for (const { address, elf } of options.programs ?? []) this.#vm.addProgram(address, elf);
    if (state && !state.paused) {
      this.#production.catchUp({ fromMs: state.timeMs, gapMs: msSinceSaved(state) });
    }
  }

  /** Starts the slot timer; without it slots move only by transactions (slotMs 0), travels and `tick()`. */
  start(): void {
    this.#production.start();
  }

  stop(): void {
    this.#production.stop();
  }

  slot(commitment: Commitment): number {
    return this.#chain.slot(commitment);
  }

  blockHeight(commitment: Commitment): number {
    return this.#chain.height(commitment);
  }

  latestBlockhash(commitment: Commitment): { blockhash: string; lastValidBlockHeight: number } {
    return this.#chain.latestBlockhash(commitment);
  }

  /** Whether a transaction naming the hash could land in the block after the newest that has reached `commitment`. */
  isBlockhashValid(blockhash: string, commitment: Commitment): boolean {
    return this.#chain.isBlockhashValid(blockhash, commitment);
  }

  /** How far a record's slot has come. */
  commitmentOf(slot: number): Commitment {
    return this.#chain.commitmentOf(slot);
  }

  /** Unix seconds of the current slot, as programs see it. */
  unixSeconds(): number {
    return this.#chain.unixSeconds();
  }

  getAccount(address: Address, commitment: Commitment): AccountState | null {
    return this.#bank.account(address, commitment);
  }

  accountsOwnedBy(owner: Address, commitment: Commitment): Iterable<AccountWrite> {
    return this.#bank.ownedBy(owner, commitment);
  }

  rentExemptMinimum(bytes: number): bigint {
    return this.#vm.rentExemptMinimum(bytes);
  }

  /**
   * Writes an account as no transaction could; takes part in everything that follows as an ordinary write.
   *
   * @throws UnwritableAccount for a sysvar, a program to be closed, or one that cannot be run; nothing is changed then
   */
  setAccount(address: Address, account: AccountState): void {
    this.#bank.set(address, account);
  }

  /** Puts an account there as if it had always been: finalized from the start, told to nobody. */
  setGenesisAccount(address: Address, account: AccountState): void {
    this.#bank.setGenesis(address, account);
  }

  /**
   * Runs a transaction on the state at the commitment without keeping anything. The blockhash is not looked at: ask
   * `isBlockhashValid`. Loaded addresses are those of its lookup tables.
   */
  simulate(
    transaction: ParsedTransaction,
    verifySignatures: boolean,
    level: Commitment = 'processed',
  ): Trial {
    return tryOut(this.#runtime, transaction, { verifySignatures, commitment: this.trialCommitment(level) });
  }

  /**
   * The commitment whose state transactions are tried on for who asks at `level`: the same, but where slots have no
   * length, what a cheat code wrote counts as confirmed; nothing would move on by itself to confirm it.
   */
  trialCommitment(level: Commitment): Commitment {
    return this.slotMs === 0 && level === 'confirmed' ? 'processed' : level;
  }

  /** True where a bank at the commitment knows that the transaction has landed. */
  hasLanded(transaction: ParsedTransaction, commitment: Commitment = 'processed'): boolean {
    return this.#chain.hasLanded(transaction, commitment);
  }

  /**
   * Takes a transaction as its sender's node does: faults may drop or delay it, else it lands at once, or silently
   * never does.
   */
  submit(transaction: ParsedTransaction): void {
    const fate = this.faults.fateOfTransaction();
    if (fate === 'drop') return;
    if (fate > 0) this.#production.delay(transaction, fate);
    else this.land(transaction);
  }

  /**
   * Takes a transaction as a leader does: it lands in the current slot, or silently never does (unknown or expired
   * blockhash, bad signature, a payer who cannot pay, a duplicate).
   */
  land(transaction: ParsedTransaction): void {
    if (!this.#chain.isBlockhashUsableIn(this.slot('processed'), transaction.blockhash)) return;
    if (this.hasLanded(transaction)) return;
    const ready = makeReady(this.#runtime, transaction, 'processed');
    if ('err' in ready) return;
    const outcome = execute(this.#runtime, ready);
    if (!outcome) return;
    this.emit('transaction', this.#chain.add(transaction, outcome));
    if (this.slotMs === 0) this.tick();
  }

  /** Ends the current slot and begins the next. */
  tick(): void {
    this.#production.tick();
  }

  /**
   * Moves the chain forward to a slot or a time, whichever is given; the other follows at the length of a slot.
   * Delayed transactions land on the way.
   *
   * @throws RangeError where the target is not ahead of the chain, or beyond the year 9999 or slot 2^52
   */
  travel(target: { slot: number } | { timeMs: number }): void {
    this.#production.travel(target);
  }

  /** Everything that is needed to go on later in another process. The current slot is completed first. */
  save(): NetworkState {
    this.tick();
    return {
      format: 1,
      vm: this.#vm.save(),
      timeMs: this.clock.nowMs(),
      savedAtMs: Date.now(),
      paused: this.clock.paused,
      writeVersion: this.#bank.writeVersion,
      accounts: [...this.#bank.latest()],
      blocks: [...this.ledger.blocks()],
      pending: this.#production.delayed.map(({ slot, transaction }) => ({ slot, wire: transaction.wire })),
    };
  }
}

// A file of an older release does not say when it was saved; a chain that was never moved forward does, by its clock.
function msSinceSaved({ timeMs, savedAtMs = Math.min(timeMs, Date.now()) }: NetworkState): number {
  return Math.max(0, Date.now() - savedAtMs);
}
