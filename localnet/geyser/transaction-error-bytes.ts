import type { TransactionError } from '../transaction-error.ts';

// Variants in the order of Agave's enums: the position is what goes over the wire.
const TRANSACTION_ERRORS = [
  'AccountInUse',
  'AccountLoadedTwice',
  'AccountNotFound',
  'ProgramAccountNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
  'AlreadyProcessed',
  'BlockhashNotFound',
  'InstructionError',
  'CallChainTooDeep',
  'MissingSignatureForFee',
  'InvalidAccountIndex',
  'SignatureFailure',
  'InvalidProgramForExecution',
  'SanitizeFailure',
  'ClusterMaintenance',
  'AccountBorrowOutstanding',
  'WouldExceedMaxBlockCostLimit',
  'UnsupportedVersion',
  'InvalidWritableAccount',
  'WouldExceedMaxAccountCostLimit',
  'WouldExceedAccountDataBlockLimit',
  'TooManyAccountLocks',
  'AddressLookupTableNotFound',
  'InvalidAddressLookupTableOwner',
  'InvalidAddressLookupTableData',
  'InvalidAddressLookupTableIndex',
  'InvalidRentPayingAccount',
  'WouldExceedMaxVoteCostLimit',
  'WouldExceedAccountDataTotalLimit',
  'DuplicateInstruction',
  'InsufficientFundsForRent',
  'MaxLoadedAccountsDataSizeExceeded',
  'InvalidLoadedAccountsDataSizeLimit',
  'ResanitizationNeeded',
  'ProgramExecutionTemporarilyRestricted',
  'UnbalancedTransaction',
  'ProgramCacheHitMaxLimit',
  'CommitCancelled',
] as const;

const INSTRUCTION_ERRORS = [
  'GenericError',
  'InvalidArgument',
  'InvalidInstructionData',
  'InvalidAccountData',
  'AccountDataTooSmall',
  'InsufficientFunds',
  'IncorrectProgramId',
  'MissingRequiredSignature',
  'AccountAlreadyInitialized',
  'UninitializedAccount',
  'UnbalancedInstruction',
  'ModifiedProgramId',
  'ExternalAccountLamportSpend',
  'ExternalAccountDataModified',
  'ReadonlyLamportChange',
  'ReadonlyDataModified',
  'DuplicateAccountIndex',
  'ExecutableModified',
  'RentEpochModified',
  'NotEnoughAccountKeys',
  'AccountDataSizeChanged',
  'AccountNotExecutable',
  'AccountBorrowFailed',
  'AccountBorrowOutstanding',
  'DuplicateAccountOutOfSync',
  'Custom',
  'InvalidError',
  'ExecutableDataModified',
  'ExecutableLamportChange',
  'ExecutableAccountNotRentExempt',
  'UnsupportedProgramId',
  'CallDepth',
  'MissingAccount',
  'ReentrancyNotAllowed',
  'MaxSeedLengthExceeded',
  'InvalidSeeds',
  'InvalidRealloc',
  'ComputationalBudgetExceeded',
  'PrivilegeEscalation',
  'ProgramEnvironmentSetupFailure',
  'ProgramFailedToComplete',
  'ProgramFailedToCompile',
  'Immutable',
  'IncorrectAuthority',
  'BorshIoError',
  'AccountNotRentExempt',
  'InvalidAccountOwner',
  'ArithmeticOverflow',
  'UnsupportedSysvar',
  'IllegalOwner',
  'MaxAccountsDataAllocationsExceeded',
  'MaxAccountsExceeded',
  'MaxInstructionTraceLengthExceeded',
  'BuiltinProgramsMustConsumeComputeUnits',
] as const;

/**
 * A transaction's error as Agave serializes it (bincode): the variant's position as a little-endian u32, then its
 * fields. That is what `TransactionError.err` holds in Yellowstone's protobuf.
 *
 * @throws RangeError for an error that Agave does not have
 */
export function transactionErrorBytes(error: TransactionError): Uint8Array {
  const [name, fields] = variantOf(error);
  const variant = u32(positionIn(TRANSACTION_ERRORS, name));
  if (name === 'InstructionError') {
    const [index, cause] = fields as [number, TransactionError];
    return Uint8Array.from([...variant, index, ...instructionErrorBytes(cause)]);
  }
  if (name === 'DuplicateInstruction') return Uint8Array.from([...variant, fields as number]);
  if (fields === undefined) return Uint8Array.from(variant);
  return Uint8Array.from([...variant, (fields as { account_index: number }).account_index]);
}

// BorshIoError lost its text in today's Agave, so the text that LiteSVM still gives is not sent.
function instructionErrorBytes(error: TransactionError): number[] {
  const [name, fields] = variantOf(error);
  const variant = u32(positionIn(INSTRUCTION_ERRORS, name));
  return name === 'Custom' ? [...variant, ...u32(fields as number)] : variant;
}

function variantOf(error: TransactionError): [name: string, fields: unknown] {
  return typeof error === 'string' ? [error, undefined] : (Object.entries(error)[0] ?? ['', undefined]);
}

function positionIn(names: readonly string[], name: string): number {
  const position = names.indexOf(name);
  if (position < 0) throw new RangeError(`no such error: ${name}`);
  return position;
}

function u32(value: number): number[] {
  return [value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24];
}
