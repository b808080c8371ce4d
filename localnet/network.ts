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
import { GENESIS_HASH, genesisBlock, newGenesisHash } from './new-block.ts';
import { prepareAccounts, type Runtime } from './runtime.ts';
import { type SimulationOnState, simulate } from './simulate.ts';
import { computeUnitPriceOf, type ParsedTransaction, parseTransaction } from './transaction.ts';
import { VirtualMachine } from './virtual-machine.ts';

/**
 * A Solana cluster in memory. A timer advances the slots. A transaction is processed at once in the
 * current slot, confirmed when the next slot begins, and finalized 32 slots after its own. Time can
 * be moved forward: the slots in between count as produced, so blockhashes age, but most of them
 * have no block.
 *
 * The time of a slot is fixed when it begins or, if slots have no length, at its first transaction.
 * Programs read it, and it is the time of the block.
 */
export class Network extends EventEmitter<NetworkEvents> {
  readonly clock: NetworkClock;
  readonly ledger: Ledger;
  readonly faults = new Faults(() => this.#chain.slot('finalized'));
  /** Different for each new chain. */
  readonly genesisHash: string;
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
    this.genesisHash = state ? (state.genesisHash ?? GENESIS_HASH) : newGenesisHash();
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
          if (update.status === 'finalized') this.#bank.prune(this.#chain.oldestVisible(this.faults.lags));
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

  /**
   * Starts the slot timer; without it slots advance only by transactions (slotMs 0), travels and
   * `tick()`.
   */
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

  /** Whether a transaction with the hash could land after the newest block at `commitment`. */
  isBlockhashValid(blockhash: string, commitment: Commitment): boolean {
    return this.#chain.isBlockhashValid(blockhash, commitment);
  }

  /** The commitment of a record's slot. */
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
   * Writes an account without a transaction. The write becomes confirmed and finalized like that of
   * a transaction.
   *
   * @throws UnwritableAccount for a sysvar, for closing a program, or for a program that cannot
   *   run; then nothing changes
   */
  setAccount(address: Address, account: AccountState): void {
    this.#chain.seenWith(undefined, () => this.#bank.set(address, account));
  }

  /**
   * Rolls back a confirmed transaction, as when the cluster continues on another fork: no block has
   * it, its accounts are restored, and it never lands again.
   *
   * @throws RangeError if it is not confirmed or already finalized, shares its block, or its
   *   accounts were written since
   */
  forget(signature: string): void {
    const record = this.ledger.transaction(signature);
    if (!record || this.commitmentOf(record.slot) !== 'confirmed') {
      throw new RangeError(`${signature} is not confirmed, or already finalized`);
    }
    if (this.ledger.block(record.slot)?.transactions.length !== 1) {
      throw new RangeError(`${signature} is not alone in its block`);
    }
    this.#bank.undo(record);
    this.ledger.forget(record);
    this.faults.count('forget');
  }

  /** Calls `run` with the state that this node of the cluster sees. The node may be behind. */
  seenBy<T>(node: string, run: () => T): T {
    const lag = this.faults.lagOf(node);
    if (!lag) return run();
    this.faults.count('lag');
    return this.#chain.seenWith(lag, run);
  }

  /**
   * Writes an account as `setAccount` does, but readers at every commitment see the write at once.
   * Cheat codes use it. Streams report the write once per commitment.
   */
  overwriteAccount(address: Address, account: AccountState): void {
    this.#bank.overwrite(address, account);
  }

  /** Adds an account that was finalized from the start, without an event. */
  setGenesisAccount(address: Address, account: AccountState): void {
    this.#bank.setGenesis(address, account);
  }

  /**
   * Runs a transaction on the state at the commitment without storing anything. The blockhash is
   * not checked: use `isBlockhashValid`.
   */
  simulate(
    transaction: ParsedTransaction,
    verifySignatures: boolean,
    level: Commitment = 'processed',
  ): SimulationOnState {
    return simulate(this.#runtime, transaction, {
      verifySignatures,
      commitment: this.simulationCommitment(level),
    });
  }

  /**
   * The commitment at which transactions are simulated for a request at `level`. It is `level`
   * itself, except if slots have no length: then `confirmed` becomes `processed`, because no later
   * slot would confirm a write of a cheat code.
   */
  simulationCommitment(level: Commitment): Commitment {
    return this.slotMs === 0 && level === 'confirmed' ? 'processed' : level;
  }

  /** Whether the transaction has landed, as seen at the commitment. */
  hasLanded(transaction: ParsedTransaction, commitment: Commitment = 'processed'): boolean {
    return this.#chain.hasLanded(transaction, commitment);
  }

  /**
   * Accepts a transaction as the sender's node does: faults may drop or delay it. Otherwise it
   * lands at once or, if it cannot, never. The sender gets no error.
   */
  submit(transaction: ParsedTransaction): void {
    const delaySlots = this.faults.takeLandingDelay(computeUnitPriceOf(transaction));
    if (delaySlots === 'drop') return;
    if (delaySlots > 0) this.#production.delay(transaction, delaySlots);
    else this.land(transaction);
  }

  /**
   * Accepts a transaction as a leader does: it lands in the current slot, or never. It never lands
   * with an unknown or expired blockhash, a bad signature or a payer without funds, or twice. The
   * sender gets no error.
   */
  land(transaction: ParsedTransaction): void {
    // A node that is behind forwards a transaction to a leader that is not.
    this.#chain.seenWith(undefined, () => this.#land(transaction));
  }

  #land(transaction: ParsedTransaction): void {
    if (!this.#chain.isBlockhashUsableIn(this.slot('processed'), transaction.blockhash)) return;
    if (this.hasLanded(transaction)) return;
    const ready = prepareAccounts(this.#runtime, transaction, 'processed');
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
   * Moves the chain forward to a slot or a time; the other follows from the slot length. Delayed
   * transactions land in the slots before the target.
   *
   * @throws RangeError if the target is not ahead of the chain, or after the year 9999 or slot 2^52
   */
  travel(target: { slot: number } | { timeMs: number }): void {
    this.#production.travel(target);
  }

  /** The state needed to continue later in another process. The current slot is completed first. */
  save(): NetworkState {
    this.tick();
    return {
      format: 1,
      genesisHash: this.genesisHash,
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

// A file of an older release has no time of saving. The chain's clock is that time if the chain was
// never moved forward.
function msSinceSaved({ timeMs, savedAtMs = Math.min(timeMs, Date.now()) }: NetworkState): number {
  return Math.max(0, Date.now() - savedAtMs);
}
