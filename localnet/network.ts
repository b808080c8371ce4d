import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Address } from '@solana/kit';
import {
  type AccountState,
  AccountStore,
  type AccountWrite,
  CLOSED_ACCOUNT,
  type Commitment,
} from './accounts.ts';
import { encodeBase58 } from './base58.ts';
import { BLOCKHASH_LIFETIME_BLOCKS, BlockhashQueue } from './blockhashes.ts';
import { NetworkClock } from './clock.ts';
import { Faults } from './faults.ts';
import { type Block, Ledger, type TransactionRecord } from './ledger.ts';
import { LOOKUP_TABLE_PROGRAM, type LoadedAddresses, loadAddresses } from './lookup-tables.ts';
import { tokenBalancesOf } from './token.ts';
import { feeOf, isStaticWritable, type ParsedTransaction } from './transaction.ts';
import { type Execution, type Simulation, SLOTS_PER_EPOCH, VirtualMachine } from './virtual-machine.ts';

const DEFAULT_SLOT_MS = 250;
const SLOTS_TO_FINALITY = 32;
const SLOT_HASHES = 512;

export interface SlotUpdate {
  readonly slot: number;
  readonly parent: number;
  readonly status:
    | 'firstShredReceived'
    | 'createdBank'
    | 'completed'
    | 'processed'
    | 'confirmed'
    | 'finalized';
}

/**
 * What happens on the network, told synchronously and in the order a cluster tells it: a transaction's account
 * writes, then the transaction; at the end of a slot its block, then what became confirmed and finalized.
 */
export interface NetworkEvents {
  account: [AccountWrite];
  transaction: [TransactionRecord];
  block: [Block];
  slot: [SlotUpdate];
}

export interface NetworkOptions {
  /** Length of a slot in ms; 0 makes every transaction a slot of its own. Default 250. */
  readonly slotMs?: number;
  /** Programs to load at genesis, beside the SPL ones that LiteSVM ships. */
  readonly programs?: readonly { readonly address: Address; readonly elf: Uint8Array }[];
  /** Chain time at genesis, in ms since the epoch. Default: now. */
  readonly startMs?: number;
  /** How many transactions are remembered; default 20,000. */
  readonly maxTransactions?: number;
  /** How many blocks are remembered; default 50,000. */
  readonly maxBlocks?: number;
  /** What `save()` returned, to go on from there. */
  readonly state?: NetworkState;
}

/** A saved network, in types that v8.serialize keeps. */
export interface NetworkState {
  readonly format: 1;
  readonly vm: Uint8Array;
  readonly timeMs: number;
  readonly paused: boolean;
  readonly slot: number;
  readonly height: number;
  readonly writeVersion: number;
  readonly accounts: readonly AccountWrite[];
  readonly blocks: readonly Block[];
}

/**
 * One Solana cluster in memory. Slots follow each other on a timer; a transaction is processed at once in the
 * current slot, confirmed when the next slot begins and finalized 32 slots later. Time can be moved forward: the
 * slots in between then count as produced (so blockhashes age with them) but leave no block behind.
 */
export class Network extends EventEmitter<NetworkEvents> {
  readonly clock: NetworkClock;
  readonly ledger: Ledger;
  readonly faults = new Faults();
  readonly genesisHash: string;
  readonly slotMs: number;
  readonly #vm: VirtualMachine;
  readonly #accounts = new AccountStore();
  readonly #blockhashes = new BlockhashQueue();
  #slot: number;
  #height: number;
  #writeVersion = 0;
  #transactions: TransactionRecord[] = [];
  #delayed: { slot: number; transaction: ParsedTransaction }[] = [];
  #lastBlock: Block;
  #finalizedBlock: Block;
  #unfinalized: Block[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: NetworkOptions = {}) {
    super();
    this.setMaxListeners(0);
    const { state } = options;
    this.slotMs = options.slotMs ?? DEFAULT_SLOT_MS;
    this.ledger = new Ledger(options.maxTransactions ?? 20_000, options.maxBlocks ?? 50_000);
    this.#vm = new VirtualMachine(state?.vm);
    this.genesisHash = encodeBase58(createHash('sha256').update('dues localnet').digest());
    if (state) {
      this.clock = new NetworkClock(state.paused ? state.timeMs : Math.max(state.timeMs, Date.now()));
      if (state.paused) this.clock.pause();
      this.#writeVersion = state.writeVersion;
      for (const write of state.accounts) this.#accounts.add(write);
      for (const block of state.blocks) this.#restore(block);
    } else {
      this.clock = new NetworkClock(options.startMs ?? Date.now());
      this.#remember(this.#genesisBlock());
    }
    this.#lastBlock = this.#finalizedBlock = [...this.ledger.blocks()].at(-1) as Block;
    this.#slot = (state?.slot ?? this.#lastBlock.slot) + 1;
    this.#height = (state?.height ?? this.#lastBlock.height) + 1;
    this.#syncVmClock();
    for (const { address, elf } of options.programs ?? []) this.#vm.addProgram(address, elf);
  }

  /** Starts the slot timer; without it slots move only by transactions (slotMs 0), travels and `tick()`. */
  start(): void {
    if (this.slotMs === 0 || this.#timer) return;
    this.#timer = setInterval(() => {
      if (!this.clock.paused) this.tick();
    }, this.slotMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  slot(commitment: Commitment): number {
    if (commitment === 'processed') return this.#slot;
    return commitment === 'confirmed' ? this.#lastBlock.slot : this.#finalizedBlock.slot;
  }

  blockHeight(commitment: Commitment): number {
    if (commitment === 'processed') return this.#height;
    return commitment === 'confirmed' ? this.#lastBlock.height : this.#finalizedBlock.height;
  }

  latestBlockhash(commitment: Commitment): { blockhash: string; lastValidBlockHeight: number } {
    const { blockhash, height } = commitment === 'finalized' ? this.#finalizedBlock : this.#lastBlock;
    return { blockhash, lastValidBlockHeight: height + BLOCKHASH_LIFETIME_BLOCKS };
  }

  /** Whether a transaction naming the hash could land now, as a bank at `commitment` knows it. */
  isBlockhashValid(blockhash: string, commitment: Commitment): boolean {
    const born = this.#blockhashes.heightOf(blockhash);
    const known = commitment === 'finalized' ? this.#finalizedBlock.height : this.#lastBlock.height;
    return born !== undefined && born <= known && this.#blockhashes.isUsableAt(blockhash, this.#height);
  }

  /** How far a record's slot has come. */
  commitmentOf(slot: number): Commitment {
    if (slot <= this.#finalizedBlock.slot) return 'finalized';
    return slot <= this.#lastBlock.slot ? 'confirmed' : 'processed';
  }

  /** Unix seconds of the current slot, as programs see it. */
  unixSeconds(): number {
    return Math.floor(this.clock.nowMs() / 1000);
  }

  getAccount(address: Address, commitment: Commitment): AccountState | null {
    const write = this.#accounts.at(address, this.slot(commitment));
    if (write) return write.account.lamports > 0n ? write.account : null;
    if (this.#accounts.has(address)) return null;
    // Never written here: one that LiteSVM brought. Programs stay as they are; sysvars change behind our back.
    const account = this.#vm.getAccount(address);
    if (account?.executable) this.#keepAsGenesis(address, account);
    return account;
  }

  accountsOwnedBy(owner: Address, commitment: Commitment): Iterable<AccountWrite> {
    return this.#accounts.ownedBy(owner, this.slot(commitment));
  }

  rentExemptMinimum(bytes: number): bigint {
    return this.#vm.rentExemptMinimum(bytes);
  }

  /** Writes an account as no transaction could; takes part in everything that follows as an ordinary write. */
  setAccount(address: Address, account: AccountState): void {
    // Reading it first keeps what LiteSVM brought, for readers at the commitments that this write has yet to reach.
    this.getAccount(address, 'processed');
    this.#vm.setAccount(address, account);
    this.#write(address, account, null);
  }

  /** Puts an account there as if it had always been: finalized from the start, told to nobody. */
  setGenesisAccount(address: Address, account: AccountState): void {
    this.#vm.setAccount(address, account);
    this.#keepAsGenesis(address, account);
  }

  /**
   * Runs a transaction on the current state without keeping anything. The blockhash is not looked at: ask
   * `isBlockhashValid`. Loaded addresses are those of its lookup tables.
   */
  simulate(
    transaction: ParsedTransaction,
    verifySignatures: boolean,
  ): Simulation & { loaded: LoadedAddresses } {
    const loaded = loadAddresses(transaction, (address) => this.getAccount(address, 'processed'));
    if ('err' in loaded) {
      const nothing = { logs: [], innerInstructions: [], computeUnits: 0, returnData: null };
      return { ...nothing, ...loaded, accounts: () => new Map(), loaded: { writable: [], readonly: [] } };
    }
    this.#prepareFor(transaction);
    return { ...this.#vm.simulate(transaction, verifySignatures), loaded };
  }

  hasLanded(transaction: ParsedTransaction): boolean {
    return this.#blockhashes.hasLanded(transaction.blockhash, transaction.signatures[0] ?? '');
  }

  /**
   * Takes a transaction as a leader does: it lands at once, or silently never does (unknown or expired blockhash,
   * bad signature, a payer who cannot pay, a duplicate). Faults may delay or drop it.
   */
  submit(transaction: ParsedTransaction): void {
    const fate = this.faults.fateOfTransaction();
    if (fate === 'drop') return;
    if (fate > 0) this.#delayed.push({ slot: this.#slot + fate, transaction });
    else this.#land(transaction);
  }

  /** Ends the current slot and begins the next. */
  tick(): void {
    this.#advance(1);
  }

  /**
   * Moves the chain forward to a slot or a time, whichever is given; the other follows at the length of a slot.
   *
   * @throws RangeError where the target is not ahead of the chain
   */
  travel(target: { slot: number } | { timeMs: number }): void {
    const nominalMs = this.slotMs || DEFAULT_SLOT_MS;
    if ('slot' in target) {
      if (target.slot <= this.#slot) throw new RangeError(`slot ${target.slot} is not after ${this.#slot}`);
      this.clock.advance((target.slot - this.#slot) * nominalMs);
      this.#jump(target.slot - this.#slot);
      return;
    }
    const byMs = target.timeMs - this.clock.nowMs();
    if (byMs < 0) throw new RangeError(`time ${target.timeMs} is before the chain's ${this.clock.nowMs()}`);
    this.clock.advance(byMs);
    this.#jump(Math.max(1, Math.round(byMs / nominalMs)));
  }

  /** Everything that is needed to go on later in another process. The current slot is completed first. */
  save(): NetworkState {
    this.tick();
    return {
      format: 1,
      vm: this.#vm.save(),
      timeMs: this.clock.nowMs(),
      paused: this.clock.paused,
      slot: this.#lastBlock.slot,
      height: this.#lastBlock.height,
      writeVersion: this.#writeVersion,
      accounts: [...this.#accounts.latest()],
      blocks: [...this.ledger.blocks()],
    };
  }

  // The slot that is reached ends at once: after a long way all older blockhashes are dead, and somebody must make
  // one that can be used.
  #jump(slots: number): void {
    this.#advance(slots);
    this.#advance(1);
  }

  #land(transaction: ParsedTransaction): void {
    const signature = transaction.signatures[0] as string;
    const { blockhash } = transaction;
    if (!this.#blockhashes.isUsableAt(blockhash, this.#height)) return;
    if (this.#blockhashes.hasLanded(blockhash, signature)) return;
    const read = (address: Address) => this.getAccount(address, 'processed');
    const loaded = loadAddresses(transaction, read);
    if ('err' in loaded) return;
    this.#prepareFor(transaction);

    const keys = [...transaction.staticKeys, ...loaded.writable, ...loaded.readonly];
    const before = keys.map(read);
    const execution = this.#vm.execute(transaction);
    const failed = execution.err !== null;
    // A failure that left the payer's lamports alone happened before execution: such a transaction never lands.
    if (failed && this.#vm.lamportsOf(keys[0] as Address) === (before[0]?.lamports ?? 0n)) return;

    const isWritable = (index: number) =>
      index < transaction.staticKeys.length
        ? isStaticWritable(transaction, index)
        : index < transaction.staticKeys.length + loaded.writable.length;
    const after = keys.map((address, index) => {
      const earlier = before[index] ?? null;
      if (failed ? index !== 0 : !isWritable(index)) return earlier;
      const account = this.#vm.getAccount(address);
      if (account || earlier) this.#write(address, account ?? CLOSED_ACCOUNT, signature);
      return account;
    });
    this.#blockhashes.markLanded(blockhash, signature);
    this.#record(transaction, execution, {
      accountKeys: keys,
      loaded,
      preBalances: before.map((account) => account?.lamports ?? 0n),
      postBalances: after.map((account) => account?.lamports ?? 0n),
      preTokenBalances: tokenBalancesOf(keys, before, read),
      postTokenBalances: tokenBalancesOf(keys, after, read),
    });
    if (this.slotMs === 0) this.tick();
  }

  #record(
    transaction: ParsedTransaction,
    execution: Execution,
    effects: Pick<
      TransactionRecord,
      'accountKeys' | 'loaded' | 'preBalances' | 'postBalances' | 'preTokenBalances' | 'postTokenBalances'
    >,
  ): void {
    const record: TransactionRecord = {
      signature: transaction.signatures[0] as string,
      slot: this.#slot,
      index: this.#transactions.length,
      blockTime: this.unixSeconds(),
      transaction,
      fee: feeOf(transaction),
      ...execution,
      ...effects,
    };
    this.#transactions.push(record);
    this.ledger.addTransaction(record);
    this.emit('transaction', record);
  }

  #write(address: Address, account: AccountState, signature: string | null): void {
    this.#writeVersion += 1;
    const write = { address, slot: this.#slot, writeVersion: this.#writeVersion, account, signature };
    this.#accounts.add(write);
    this.emit('account', write);
  }

  #keepAsGenesis(address: Address, account: AccountState): void {
    this.#writeVersion += 1;
    const slot = this.#finalizedBlock.slot;
    this.#accounts.add({ address, slot, writeVersion: this.#writeVersion, account, signature: null });
  }

  // Only the lookup table program reads SlotHashes; keeping 512 of them fresh for everybody would cost every slot.
  #prepareFor(transaction: ParsedTransaction): void {
    if (transaction.lookups.length === 0 && !transaction.staticKeys.includes(LOOKUP_TABLE_PROGRAM)) return;
    const recent: { slot: number; hash: string }[] = [];
    let block: Block | undefined = this.#lastBlock;
    while (block && recent.length < SLOT_HASHES) {
      recent.push({ slot: block.slot, hash: block.blockhash });
      block = this.ledger.block(block.parentSlot);
    }
    this.#vm.setSlotHashes(recent);
  }

  #advance(slots: number): void {
    const parent = this.#lastBlock;
    const block = this.#completeBlock(parent);
    this.#remember(block);
    this.#unfinalized.push(block);
    this.#lastBlock = block;
    this.#transactions = [];
    this.emit('slot', { slot: block.slot, parent: parent.slot, status: 'completed' });
    this.emit('block', block);
    this.emit('slot', { slot: block.slot, parent: parent.slot, status: 'processed' });

    this.#slot += slots;
    this.#height += slots;
    this.#syncVmClock();
    this.emit('slot', { slot: this.#slot, parent: block.slot, status: 'firstShredReceived' });
    this.emit('slot', { slot: this.#slot, parent: block.slot, status: 'createdBank' });
    this.emit('slot', { slot: block.slot, parent: parent.slot, status: 'confirmed' });
    this.#finalize();

    const landing = this.#delayed.filter(({ slot }) => slot <= this.#slot);
    this.#delayed = this.#delayed.filter(({ slot }) => slot > this.#slot);
    for (const { transaction } of landing) this.#land(transaction);
  }

  #finalize(): void {
    while (this.#unfinalized[0] && this.#unfinalized[0].slot + SLOTS_TO_FINALITY <= this.#slot) {
      this.#finalizedBlock = this.#unfinalized.shift() as Block;
      const { slot, parentSlot } = this.#finalizedBlock;
      this.#accounts.prune(slot);
      this.emit('slot', { slot, parent: parentSlot, status: 'finalized' });
    }
  }

  #completeBlock(parent: Block): Block {
    const hash = createHash('sha256').update(parent.blockhash).update(String(this.#slot));
    for (const { signature } of this.#transactions) hash.update(signature);
    return {
      slot: this.#slot,
      parentSlot: parent.slot,
      height: this.#height,
      blockhash: encodeBase58(hash.digest()),
      parentBlockhash: parent.blockhash,
      time: this.unixSeconds(),
      transactions: this.#transactions,
    };
  }

  #genesisBlock(): Block {
    // LiteSVM boots at a slot of its own choosing, where its features and programs are already active.
    const slot = Math.ceil(this.#vm.slot / SLOTS_PER_EPOCH) * SLOTS_PER_EPOCH;
    return {
      slot,
      parentSlot: slot - 1,
      height: 0,
      blockhash: encodeBase58(
        createHash('sha256').update(this.genesisHash).update(String(this.clock.nowMs())).digest(),
      ),
      parentBlockhash: this.genesisHash,
      time: this.unixSeconds(),
      transactions: [],
    };
  }

  #restore(block: Block): void {
    for (const record of block.transactions) {
      this.ledger.addTransaction(record);
      this.#blockhashes.markLanded(record.transaction.blockhash, record.signature);
    }
    this.#remember(block);
  }

  #remember(block: Block): void {
    this.ledger.addBlock(block);
    this.#blockhashes.add(block.blockhash, block.height);
  }

  #syncVmClock(): void {
    this.#vm.setClock(this.#slot, this.unixSeconds());
  }
}
