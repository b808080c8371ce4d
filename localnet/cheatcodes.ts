import { type Address, isAddress } from '@solana/kit';
import {
  findAssociatedTokenPda,
  getMintDecoder,
  getMintEncoder,
  getTokenDecoder,
  getTokenEncoder,
  AccountState as TokenAccountState,
} from '@solana-program/token';
import { z } from 'zod';
import { SYSTEM_PROGRAM } from './accounts.ts';
import type { Network } from './network.ts';
import { epochInfo } from './rpc/cluster-methods.ts';
import { INVALID_PARAMS, RpcError, type RpcMethods } from './rpc/method.ts';
import { isMint, isTokenProgram, TOKEN_ACCOUNT_BYTES, TOKEN_PROGRAM } from './token.ts';
import { SLOTS_PER_EPOCH, UnwritableAccount } from './virtual-machine.ts';

const MAX_U64 = 2n ** 64n - 1n;
const address = z.custom<Address>((value) => typeof value === 'string' && isAddress(value), 'not an address');
// JSON numbers are exact up to 2^53; larger amounts are strings.
const u64 = z
  .union([z.number().int(), z.string().regex(/^\d+$/, 'not a whole number')])
  .transform(BigInt)
  .refine((value) => value >= 0n && value <= MAX_U64, 'not an unsigned 64 bit number');
const hex = z
  .string()
  .regex(/^([0-9a-fA-F]{2})*$/, 'not hexadecimal')
  .transform((value) => Uint8Array.from(Buffer.from(value, 'hex')));
/** Null, or Surfpool's "null", clears the field. */
const addressOrNone = z.union([z.null(), z.literal('null').transform(() => null), address]);

const accountUpdate = z.strictObject({
  lamports: u64.optional(),
  data: hex.optional(),
  owner: address.optional(),
  executable: z.boolean().optional(),
  /** Accepted and ignored, because Surfpool accepts it; rent epochs are obsolete. */
  rentEpoch: u64.optional(),
});
const tokenAccountUpdate = z.strictObject({
  amount: u64.optional(),
  delegate: addressOrNone.optional(),
  delegatedAmount: u64.optional(),
  closeAuthority: addressOrNone.optional(),
  state: z.enum(['uninitialized', 'initialized', 'frozen']).optional(),
});
const timeTravel = z.union([
  z.strictObject({ absoluteTimestamp: z.number().int() }),
  z.strictObject({ absoluteSlot: z.number().int() }),
  z.strictObject({ absoluteEpoch: z.number().int() }),
]);
const count = z.number().int().min(0);
const faultSettings = z.strictObject({
  dropTransactions: count.optional(),
  congestedBelow: count.optional(),
  delayLandingSlots: count.optional(),
  hideStatuses: z.boolean().optional(),
  methods: z
    .record(
      z.string(),
      z.strictObject({
        fault: z.enum(['rate-limit', 'rate-limit-inside', 'server-error', 'timeout', 'disconnect']),
        times: count,
        when: z.enum(['before', 'after']).optional(),
      }),
    )
    .optional(),
  nodes: z
    .record(z.string(), z.strictObject({ lagSlots: count.optional(), down: z.boolean().optional() }))
    .optional(),
  streams: z
    .strictObject({
      cut: z.boolean().optional(),
      end: z.boolean().optional(),
      skipSlots: count.optional(),
      duplicate: z.boolean().optional(),
      reorder: z.boolean().optional(),
    })
    .optional(),
});

/**
 * Methods that no cluster has, to change state, time and faults. Names, parameters and results of
 * the `surfnet_*` methods are Surfpool's (docs.surfpool.run), so that tests written for it run
 * here. Their writes are visible at every commitment at once, whatever the slot length.
 */
export const cheatcodes: RpcMethods = {
  /**
   * [address, {lamports?, data? (hex), owner?, executable?}]: omitted fields stay unchanged. An
   * account with 0 lamports is closed. Sysvars cannot be written; `surfnet_timeTravel` advances
   * time and slots.
   */
  surfnet_setAccount: (network, params) => {
    const [target, update] = parse(z.tuple([address, accountUpdate]), params);
    const before = network.getAccount(target, 'processed');
    refuseAsInvalid(UnwritableAccount, () =>
      network.overwriteAccount(target, {
        lamports: update.lamports ?? before?.lamports ?? 0n,
        data: update.data ?? before?.data ?? new Uint8Array(),
        owner: update.owner ?? before?.owner ?? SYSTEM_PROGRAM,
        executable: update.executable ?? before?.executable ?? false,
      }),
    );
    return emptyResult(network);
  },

  /**
   * [wallet, mint, update, token program?]: writes the wallet's associated token account and
   * creates it if it is missing.
   */
  surfnet_setTokenAccount: async (network, params) => {
    const shape = z.union([
      z.tuple([address, address, tokenAccountUpdate]),
      z.tuple([address, address, tokenAccountUpdate, address.nullable()]),
    ]);
    const [owner, mint, update, tokenProgram] = parse(shape, params);
    await setTokenAccount(network, owner, mint, update, tokenProgram ?? TOKEN_PROGRAM);
    return emptyResult(network);
  },

  /**
   * [{absoluteTimestamp (ms)} | {absoluteSlot} | {absoluteEpoch}]: only forward, to the beginning
   * of that slot. Returns the result of getEpochInfo.
   */
  surfnet_timeTravel: (network, params) => {
    const [target] = parse(z.tuple([timeTravel]), params);
    refuseAsInvalid(RangeError, () => {
      if ('absoluteTimestamp' in target) network.travel({ timeMs: target.absoluteTimestamp });
      else if ('absoluteSlot' in target) network.travel({ slot: target.absoluteSlot });
      else network.travel({ slot: target.absoluteEpoch * SLOTS_PER_EPOCH });
    });
    return epochInfo(network, 'processed');
  },

  /** Stops slots and time; transactions are still processed, but confirmed only after `resume`. */
  surfnet_pauseClock: (network) => {
    network.clock.pause();
    return epochInfo(network, 'processed');
  },

  surfnet_resumeClock: (network) => {
    network.clock.resume();
    return epochInfo(network, 'processed');
  },

  /** [settings]: see FaultSettings. */
  localnet_setFaults: (network, params) => {
    const [settings] = parse(z.tuple([faultSettings]), params);
    network.faults.set(settings as Parameters<typeof network.faults.set>[0]);
    return emptyResult(network);
  },

  /**
   * [signature]: rolls back a transaction that is confirmed, not finalized, alone in its block and
   * the last writer of its accounts that was not rolled back.
   */
  localnet_forgetTransaction: (network, params) => {
    const [signature] = parse(z.tuple([z.string()]), params);
    refuseAsInvalid(RangeError, () => network.forget(signature));
    return emptyResult(network);
  },

  /** How often each kind of fault has happened since the start; see FaultKind. */
  localnet_faultsMet: (network) => Object.fromEntries(network.faults.counts),
};

async function setTokenAccount(
  network: Network,
  owner: Address,
  mint: Address,
  update: z.output<typeof tokenAccountUpdate>,
  tokenProgram: Address,
): Promise<void> {
  const mintAccount = network.getAccount(mint, 'processed');
  if (!mintAccount || !isMint(mintAccount) || mintAccount.owner !== tokenProgram) {
    throw new RpcError(INVALID_PARAMS, `Invalid params: ${mint} is not a mint of ${tokenProgram}`);
  }
  if (!isTokenProgram(tokenProgram)) {
    throw new RpcError(INVALID_PARAMS, `Invalid params: ${tokenProgram} is not a token program`);
  }
  const [target] = await findAssociatedTokenPda({ owner, mint, tokenProgram });
  // The account is read after the address is derived, which is asynchronous: nothing may happen
  // between reading and writing.
  const now = network.getAccount(target, 'processed');
  const before = now ? getTokenDecoder().decode(now.data) : null;
  const amount = update.amount ?? before?.amount ?? 0n;
  const stateNames = {
    uninitialized: TokenAccountState.Uninitialized,
    initialized: TokenAccountState.Initialized,
    frozen: TokenAccountState.Frozen,
  };
  const fields = getTokenEncoder().encode({
    mint,
    owner,
    amount,
    delegate: update.delegate === undefined ? (before?.delegate ?? null) : update.delegate,
    state: update.state ? stateNames[update.state] : (before?.state ?? TokenAccountState.Initialized),
    isNative: before?.isNative ?? null,
    delegatedAmount: update.delegatedAmount ?? before?.delegatedAmount ?? 0n,
    closeAuthority:
      update.closeAuthority === undefined ? (before?.closeAuthority ?? null) : update.closeAuthority,
  });
  // Token-2022 extensions follow the plain fields and stay.
  const data = Uint8Array.from([...fields, ...(now?.data.subarray(TOKEN_ACCOUNT_BYTES) ?? [])]);
  network.overwriteAccount(target, {
    lamports: now?.lamports ?? network.rentExemptMinimum(data.length),
    data,
    owner: tokenProgram,
    executable: false,
  });
  addToSupply(network, mint, amount - (before?.amount ?? 0n));
}

/**
 * Keeps the mint's supply equal to the sum of its accounts, because burning tokens would otherwise
 * fail.
 */
function addToSupply(network: Network, mint: Address, change: bigint): void {
  const account = network.getAccount(mint, 'processed');
  if (!account || change === 0n) return;
  const fields = getMintDecoder().decode(account.data);
  const exact = fields.supply + change;
  const supply = exact < 0n ? 0n : exact > MAX_U64 ? MAX_U64 : exact;
  const data = Uint8Array.from(account.data);
  data.set(getMintEncoder().encode({ ...fields, supply }) as Uint8Array);
  network.overwriteAccount(mint, { ...account, data });
}

function parse<S extends z.ZodType>(schema: S, params: readonly unknown[]): z.output<S> {
  const result = schema.safeParse(params);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new RpcError(
    INVALID_PARAMS,
    `Invalid params: ${issue?.path.join('.') || 'params'}: ${issue?.message}`,
  );
}

function emptyResult(network: Network) {
  return { context: { slot: network.slot('processed') }, value: null };
}

/** Calls `write`, and reports an error of the given class as invalid parameters. */
function refuseAsInvalid(errorClass: new (...args: never[]) => Error, write: () => void): void {
  try {
    write();
  } catch (cause) {
    if (cause instanceof errorClass) throw new RpcError(INVALID_PARAMS, cause.message);
    throw cause;
  }
}
