/**
 * A transaction error in the JSON form of Agave's RPC: the name of the error, or an object with
 * details, e.g. `"BlockhashNotFound"` or `{"InstructionError": [0, {"Custom": 1}]}`.
 */
export type TransactionError = string | { readonly [name: string]: unknown };

/** Every TransactionError in the order of Agave's enum, which bincode uses. */
export const TRANSACTION_ERRORS = [
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

/** Every InstructionError in the order of Agave's enum. */
export const INSTRUCTION_ERRORS = [
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

// LiteSVM numbers only the errors without details, almost in Agave's order (its
// TransactionErrorFieldless and InstructionErrorFieldless, ambient const enums that TypeScript
// cannot import).
const LITESVM_TRANSACTION_ERRORS = without(
  TRANSACTION_ERRORS,
  'InstructionError',
  'DuplicateInstruction',
  'InsufficientFundsForRent',
  'ProgramExecutionTemporarilyRestricted',
  'ResanitizationNeeded',
).toSpliced(30, 0, 'ResanitizationNeeded');
const LITESVM_INSTRUCTION_ERRORS = [...without(INSTRUCTION_ERRORS, 'Custom', 'BorshIoError'), 'BorshIoError'];

/** Converts LiteSVM's native error object or number, from `FailedTransactionMetadata.err()`. */
export function transactionErrorOf(native: unknown): TransactionError {
  if (typeof native === 'number') return LITESVM_TRANSACTION_ERRORS[native] ?? `Unknown(${native})`;
  const error = native as { index?: number; accountIndex?: number; err?: () => unknown };
  if (error.err && error.index !== undefined) {
    return { InstructionError: [error.index, instructionErrorOf(error.err())] };
  }
  if (error.index !== undefined) return { DuplicateInstruction: error.index };
  const name = (native as object).constructor.name.replace('TransactionError', '');
  return { [name]: { account_index: error.accountIndex ?? 0 } };
}

function instructionErrorOf(native: unknown): TransactionError {
  if (typeof native === 'number') return LITESVM_INSTRUCTION_ERRORS[native] ?? `Unknown(${native})`;
  const error = native as { code?: number; msg?: string };
  return error.code !== undefined ? { Custom: error.code } : { BorshIoError: error.msg ?? '' };
}

function without(names: readonly string[], ...excluded: readonly string[]): string[] {
  return names.filter((name) => !excluded.includes(name));
}
