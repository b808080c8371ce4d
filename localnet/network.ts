import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Address } from '@solana/kit';
import {
  type AccountState,
  AccountStore,
  type AccountWrite,
  CLOSED_ACCOUNT,
  type Commitment,
  SYSTEM_PROGRAM,
} from './accounts.ts';
import { encodeBase58 } from './base58.ts';
import { BLOCKHASH_LIFETIME_BLOCKS, BlockhashQueue } from './blockhashes.ts';
import { NetworkClock } from './clock.ts';
import { Faults } from './faults.ts';
import { type Block, Ledger, type TransactionRecord } from './ledger.ts';
import { LOOKUP_TABLE_PROGRAM, type LoadedAddresses, loadAddresses } from './lookup-tables.ts';
import { tokenBalancesOf } from './token.ts';
import { feeOf, isStaticWritable, type ParsedTransaction, parseTransaction } from './transaction.ts';
import type { TransactionError } from './transaction-error.ts';
import {
  type Execution,
  type Simulation,
  SLOTS_PER_EPOCH,
  UnwritableAccount,
  VirtualMachine,
} from './virtual-machine.ts';

const DEFAULT_SLOT_MS = 250;
const SLOTS_TO_FINALITY = 32;
const SLOT_HASHES = 512;
const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111';
/** Beyond these nothing that dates or counts is exact any more, here or in a client. */
const END_OF_TIME_MS = Date.UTC(10_000, 0, 1);
const LAST_SLOT = 2 ** 52;
/** What keeps a transaction from being loaded, and costs its fee all the same (SIMD-0082). */
const FEE_ONLY_ERRORS: ReadonlySet<TransactionError> = new Set([
  'ProgramAccountNotFound',
  'InvalidProgramForExecution',
  'MaxLoadedAccountsDataSizeExceeded',
]);

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
  /** Wall time of saving. Files of older releases have neither this nor what follows. */
  readonly savedAtMs?: number;
  /** Delayed transactions, and the slots where they are to land. */
  readonly pending?: readonly { readonly slot: number; readonly wire: Uint8Array }[];
}

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
  readonly genesisHash: string;
  readonly slotMs: number;
  readonly #vm: VirtualMachine;
  readonly #accounts = new AccountStore();
  readonly #blockhashes = new BlockhashQueue();
  #slot: number;
  #height: number;
  /** Unix seconds. */
  #slotTime: number;
  #writeVersion = 0;
  #transactions: TransactionRecord[] = [];
  #pending: { slot: number; transaction: ParsedTransaction }[] = [];
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
    this.clock = new NetworkClock(state?.timeMs ?? options.startMs ?? Date.now());
    this.#slotTime = Math.floor(this.clock.nowMs() / 1000);
    if (state) {
      if (state.paused) this.clock.pause();
      this.#writeVersion = state.writeVersion;
      for (const write of state.accounts) this.#accounts.add(write);
      for (const block of state.blocks) this.#restore(block);
      this.#pending = (state.pending ?? []).map(({ slot, wire }) => ({
        slot,
        transaction: parseTransaction(wire),
      }));
    } else {
      this.#remember(this.#genesisBlock());
    }
    this.#lastBlock = this.#finalizedBlock = [...this.ledger.blocks()].at(-1) as Block;
    this.#slot = (state?.slot ?? this.#lastBlock.slot) + 1;
    this.#height = (state?.height ?? this.#lastBlock.height) + 1;
    this.#beginTime();
    for (const { address, elf } of options.programs ?? []) this.#vm.addProgram(address, elf);
    if (state && !state.paused) this.#catchUp(state);
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

  /** Whether a transaction naming the hash could land in the block after the newest that has reached `commitment`. */
  isBlockhashValid(blockhash: string, commitment: Commitment): boolean {
    const { height } = commitment === 'finalized' ? this.#finalizedBlock : this.#lastBlock;
    return this.#blockhashes.isUsableAt(blockhash, height + 1);
  }

  /** How far a record's slot has come. */
  commitmentOf(slot: number): Commitment {
    if (slot <= this.#finalizedBlock.slot) return 'finalized';
    return slot <= this.#lastBlock.slot ? 'confirmed' : 'processed';
  }

  /** Unix seconds of the current slot, as programs see it. */
  unixSeconds(): number {
    this.#followClock();
    return this.#slotTime;
  }

  getAccount(address: Address, commitment: Commitment): AccountState | null {
    const write = this.#accounts.at(address, this.slot(commitment));
    if (write) return write.account.lamports > 0n ? write.account : null;
    if (this.#accounts.has(address)) return null;
    // Never written here: one that LiteSVM brought. Programs stay as they are; sysvars change behind our back.
    this.#followClock();
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

  /**
   * Writes an account as no transaction could; takes part in everything that follows as an ordinary write.
   *
   * @throws UnwritableAccount for a sysvar, a program to be closed, or one that cannot be run; nothing is changed then
   */
  setAccount(address: Address, account: AccountState): void {
    // Reading it first keeps what LiteSVM brought, for readers at the commitments that this write has yet to reach.
    const before = this.getAccount(address, 'processed');
    // LiteSVM keeps a sysvar's bytes even where it refuses them, and ends the process when it next decodes them.
    if ([before?.owner, account.owner].includes(SYSVAR_OWNER as Address) || address.startsWith('Sysvar')) {
      throw new UnwritableAccount(`${address} is a sysvar`);
    }
    // And it ends the process where a program is called whose account is gone.
    if (before?.executable && account.lamports === 0n) {
      throw new UnwritableAccount(`${address} is a program, which cannot be closed`);
    }
    this.#vm.setAccount(address, account);
    this.#write(address, account, null);
  }

  /** Puts an account there as if it had always been: finalized from the start, told to nobody. */
  setGenesisAccount(address: Address, account: AccountState): void {
    this.#vm.setAccount(address, account);
    this.#keepAsGenesis(address, account);
  }

  /**
   * Runs a transaction on the state at the commitment without keeping anything. The blockhash is not looked at: ask
   * `isBlockhashValid`. Loaded addresses are those of its lookup tables.
   */
  simulate(
    transaction: ParsedTransaction,
    verifySignatures: boolean,
    level: Commitment = 'processed',
  ): Simulation & { loaded: LoadedAddresses } {
    const commitment = this.trialCommitment(level);
    const loaded = loadAddresses(transaction, (address) => this.getAccount(address, commitment));
    if ('err' in loaded) {
      const nothing = { logs: [], innerInstructions: [], computeUnits: 0, returnData: null };
      return { ...nothing, ...loaded, accounts: () => new Map(), loaded: { writable: [], readonly: [] } };
    }
    this.#followClock();
    this.#prepareFor(transaction);
    const run = () => this.#vm.simulate(transaction, verifySignatures);
    if (commitment === 'processed') return { ...run(), loaded };
    const keys = [...transaction.staticKeys, ...loaded.writable, ...loaded.readonly];
    return { ...this.#asAt(commitment, keys, run), loaded };
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
    const slot = this.#blockhashes.landedAt(transaction.blockhash, transaction.signatures[0] ?? '');
    return slot !== undefined && slot <= this.slot(commitment);
  }

  /**
   * Takes a transaction as its sender's node does: faults may drop or delay it, else it lands at once, or silently
   * never does.
   */
  submit(transaction: ParsedTransaction): void {
    const fate = this.faults.fateOfTransaction();
    if (fate === 'drop') return;
    if (fate > 0) this.#pending.push({ slot: this.#slot + fate, transaction });
    else this.land(transaction);
  }

  /**
   * Takes a transaction as a leader does: it lands in the current slot, or silently never does (unknown or expired
   * blockhash, bad signature, a payer who cannot pay, a duplicate).
   */
  land(transaction: ParsedTransaction): void {
    const signature = transaction.signatures[0] as string;
    const { blockhash } = transaction;
    if (!this.#blockhashes.isUsableAt(blockhash, this.#height)) return;
    if (this.hasLanded(transaction)) return;
    const read = (address: Address) => this.getAccount(address, 'processed');
    const loaded = loadAddresses(transaction, read);
    if ('err' in loaded) return;
    this.#followClock();
    this.#prepareFor(transaction);

    const keys = [...transaction.staticKeys, ...loaded.writable, ...loaded.readonly];
    const before = keys.map(read);
    const execution = this.#vm.execute(transaction);
    const failed = execution.err !== null;
    // A failure that left the payer's lamports alone happened before execution: such a transaction never lands, but
    // for a few that are charged for it.
    const untouched = this.#vm.lamportsOf(keys[0] as Address) === (before[0]?.lamports ?? 0n);
    if (failed && untouched && !this.#chargeFeeOnly(transaction, execution)) return;

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
    this.#blockhashes.markLanded(blockhash, signature, this.#slot);
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

  /** Ends the current slot and begins the next. */
  tick(): void {
    this.#endSlot();
    this.#beginSlot(this.#slot + 1);
  }

  /**
   * Moves the chain forward to a slot or a time, whichever is given; the other follows at the length of a slot.
   * Delayed transactions land on the way.
   *
   * @throws RangeError where the target is not ahead of the chain, or beyond the year 9999 or slot 2^52
   */
  travel(target: { slot: number } | { timeMs: number }): void {
    const nowMs = this.clock.nowMs();
    const nominalMs = this.#nominalSlotMs;
    let { slot, timeMs } = { slot: 0, timeMs: 0, ...target };
    if ('slot' in target) {
      if (slot <= this.#slot) throw new RangeError(`slot ${slot} is not after ${this.#slot}`);
      timeMs = nowMs + (slot - this.#slot) * nominalMs;
    } else {
      if (timeMs < nowMs) throw new RangeError(`time ${timeMs} is before the chain's ${nowMs}`);
      slot = this.#slot + Math.max(1, Math.round((timeMs - nowMs) / nominalMs));
    }
    if (!(slot <= LAST_SLOT && timeMs < END_OF_TIME_MS)) {
      throw new RangeError(`slot ${slot} at ${timeMs} ms is too far ahead`);
    }
    this.#moveTo(slot, timeMs);
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
      slot: this.#lastBlock.slot,
      height: this.#lastBlock.height,
      writeVersion: this.#writeVersion,
      accounts: [...this.#accounts.latest()],
      blocks: [...this.ledger.blocks()],
      pending: this.#pending.map(({ slot, transaction }) => ({ slot, wire: transaction.wire })),
    };
  }

  get #nominalSlotMs(): number {
    return this.slotMs || DEFAULT_SLOT_MS;
  }

  // Time went on while the network was off, and so did the slots: blockhashes die of it as of any other waiting.
  #catchUp({ timeMs, savedAtMs = Math.min(timeMs, Date.now()) }: NetworkState): void {
    const gapMs = Math.max(0, Date.now() - savedAtMs);
    const slots = Math.floor(gapMs / this.#nominalSlotMs);
    if (slots > 0) this.#moveTo(this.#slot + slots, timeMs + gapMs);
    else this.clock.advance(gapMs);
  }

  // 1. What is on its way and can still land does so in its slot; that is at most the life of a blockhash away.
  // 2. The current slot ends, at its own time.
  // 3. After a long way all older blockhashes are dead, so on arrival a block is made for each commitment: one that is
  //    final when the target begins and one that is confirmed then.
  #moveTo(slot: number, timeMs: number): void {
    const landsOnTheWay = (pending: { slot: number; transaction: ParsedTransaction }) =>
      pending.slot < slot &&
      this.#blockhashes.isUsableAt(pending.transaction.blockhash, this.#height + pending.slot - this.#slot);
    while (this.#pending.some(landsOnTheWay)) {
      this.clock.advance(this.#nominalSlotMs);
      this.tick();
    }
    this.#endSlot();
    this.clock.advance(Math.max(0, timeMs - this.clock.nowMs()));
    for (const stop of [slot - 1 - SLOTS_TO_FINALITY, slot - 1]) {
      if (stop <= this.#slot) continue;
      this.#beginSlot(stop);
      this.#endSlot();
    }
    this.#beginSlot(Math.max(slot, this.#slot + 1));
  }

  // The accounts and the clock of another commitment are put in place for as long as `run` takes. Programs stay the
  // newest: loading them again and again would cost far more than the difference is worth.
  #asAt<T>(commitment: Commitment, keys: readonly Address[], run: () => T): T {
    const block = commitment === 'finalized' ? this.#finalizedBlock : this.#lastBlock;
    const accounts = new Map<Address, { then: AccountState; now: AccountState }>();
    for (const address of keys) {
      if (!this.#accounts.hasChangedSince(address, block.slot)) continue;
      const [then, now] = ([commitment, 'processed'] as const).map(
        (at) => this.getAccount(address, at) ?? CLOSED_ACCOUNT,
      ) as [AccountState, AccountState];
      if (!then.executable && !now.executable) accounts.set(address, { then, now });
    }
    // Where slots have no length all commitments stand at one instant.
    const time = this.slotMs > 0 ? { slot: block.slot, unixSeconds: block.time } : null;
    return this.#vm.during(accounts, time, run);
  }

  // LiteSVM does not do this by itself: it forgets a transaction that it could not load.
  #chargeFeeOnly(transaction: ParsedTransaction, { err }: Execution): boolean {
    if (err === null || !FEE_ONLY_ERRORS.has(err)) return false;
    const payer = transaction.staticKeys[0] as Address;
    const account = this.#vm.getAccount(payer);
    if (account?.owner !== SYSTEM_PROGRAM) return false;
    const lamports = account.lamports - feeOf(transaction);
    if (lamports < 0n || (lamports > 0n && lamports < this.#vm.rentExemptMinimum(account.data.length))) {
      return false;
    }
    this.#vm.setAccount(payer, { ...account, lamports });
    return true;
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
      blockTime: this.#slotTime,
      transaction,
      fee: feeOf(transaction),
      ...execution,
      ...effects,
    };
    this.#transactions.push(record);
    this.ledger.addTransaction(record);
    this.emit('transaction', record);
  }

  #write(address: Address, written: AccountState, signature: string | null): void {
    const account = written.lamports > 0n ? written : CLOSED_ACCOUNT;
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

  #endSlot(): void {
    const parent = this.#lastBlock;
    const block = this.#completeBlock(parent);
    this.#remember(block);
    this.#unfinalized.push(block);
    this.#lastBlock = block;
    this.#transactions = [];
    this.emit('slot', { slot: block.slot, parent: parent.slot, status: 'completed' });
    this.emit('block', block);
    this.emit('slot', { slot: block.slot, parent: parent.slot, status: 'processed' });
  }

  // Only after `#endSlot`. What has just been completed is confirmed by it.
  #beginSlot(slot: number): void {
    const { slot: parent, parentSlot: grandparent } = this.#lastBlock;
    this.#height += slot - this.#slot;
    this.#slot = slot;
    this.#beginTime();
    this.emit('slot', { slot, parent, status: 'firstShredReceived' });
    this.emit('slot', { slot, parent, status: 'createdBank' });
    this.emit('slot', { slot: parent, parent: grandparent, status: 'confirmed' });
    this.#finalize();

    const landing = this.#pending.filter((pending) => pending.slot <= slot);
    this.#pending = this.#pending.filter((pending) => pending.slot > slot);
    for (const { transaction } of landing) this.land(transaction);
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
      time: this.#slotTime,
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
      time: this.#slotTime,
      transactions: [],
    };
  }

  #restore(block: Block): void {
    for (const record of block.transactions) {
      this.ledger.addTransaction(record);
      this.#blockhashes.markLanded(record.transaction.blockhash, record.signature, record.slot);
    }
    this.#remember(block, block);
  }

  #remember(block: Block, finalized: Block = this.#finalizedBlock ?? block): void {
    this.ledger.addBlock(block);
    this.#blockhashes.add(block.blockhash, block.height, finalized.height);
  }

  #beginTime(): void {
    // The wall's clock may be set back; a chain's never is.
    this.#slotTime = Math.max(this.#slotTime, Math.floor(this.clock.nowMs() / 1000));
    this.#vm.setClock({ slot: this.#slot, unixSeconds: this.#slotTime });
  }

  // A slot without a length lasts until something happens in it, and then it is as if it had just begun.
  #followClock(): void {
    if (this.slotMs > 0 || this.#transactions.length > 0) return;
    if (Math.floor(this.clock.nowMs() / 1000) > this.#slotTime) this.#beginTime();
  }
}
