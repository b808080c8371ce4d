import type { Network } from '../network.ts';
import { failureBeforeRun } from '../simulate.ts';
import type { ParsedTransaction } from '../transaction.ts';
import type { TransactionError } from '../transaction-error.ts';
import { commitmentOf, contextAt, type ReadContext, withContext } from './context.ts';
import type { Faucet } from './faucet.ts';
import { INVALID_PARAMS, PREFLIGHT_FAILURE, RpcError, type RpcMethods } from './method.ts';
import {
  addressOf,
  blockhashOf,
  booleanOf,
  configOf,
  naturalOf,
  oneOf,
  optionalNaturalOf,
  withParams,
} from './params.ts';
import { readRequestedAccounts, simulationResult } from './simulation-result.ts';
import { transactionErrorMessage } from './transaction-error-message.ts';
import { decodeTransaction, requireLookups, TRANSACTION_ENCODINGS } from './wire-transaction.ts';

/** Methods that send or simulate a transaction. */
export function sendMethods(faucet: Faucet): RpcMethods {
  return {
    /** `maxRetries` is validated and ignored: no node of this network resends a transaction. */
    sendTransaction: withParams(1, 2, (network, [data, config]) => {
      const settings = configOf(config);
      const skipPreflight = booleanOf(settings.skipPreflight, false);
      const commitment = skipPreflight ? 'processed' : commitmentOf(settings.preflightCommitment);
      optionalNaturalOf(settings.maxRetries);
      const transaction = decodeTransaction(data, oneOf(settings.encoding, TRANSACTION_ENCODINGS, 'base58'));
      const context = contextAt(network, commitment, settings.minContextSlot);
      requireLookups(network, transaction, context);
      if (!skipPreflight) preflight(network, transaction, context);
      network.submit(transaction);
      return transaction.signatures[0];
    }),

    simulateTransaction: withParams(1, 2, (network, [data, config]) => {
      const settings = configOf(config);
      const verifySignatures = booleanOf(settings.sigVerify, false);
      const replaceBlockhash = booleanOf(settings.replaceRecentBlockhash, false);
      const withInnerInstructions = booleanOf(settings.innerInstructions, false);
      const transaction = decodeTransaction(data, oneOf(settings.encoding, TRANSACTION_ENCODINGS, 'base58'));
      const context = contextAt(network, commitmentOf(settings.commitment), settings.minContextSlot);
      if (replaceBlockhash && verifySignatures) {
        throw new RpcError(INVALID_PARAMS, 'sigVerify may not be used with replaceRecentBlockhash');
      }
      requireLookups(network, transaction, context);
      const accounts = readRequestedAccounts(settings.accounts);
      const replacement = replaceBlockhash ? network.latestBlockhash(context.commitment) : null;
      const landingError = replaceBlockhash ? null : findLandingError(network, transaction, context);
      const simulation = landingError
        ? failureBeforeRun(landingError)
        : network.simulate(transaction, verifySignatures, context.commitment);
      const result = simulationResult(network, context, transaction, simulation, {
        accounts,
        withInnerInstructions,
      });
      return withContext(context, { ...result, replacementBlockhash: replacement });
    }),

    requestAirdrop: withParams(2, 3, (network, [addressText, amount, config]) => {
      const { recentBlockhash, commitment } = configOf(config);
      commitmentOf(commitment);
      const blockhash =
        recentBlockhash === undefined || recentBlockhash === null
          ? network.latestBlockhash('confirmed').blockhash
          : blockhashOf(recentBlockhash);
      return faucet.airdrop(addressOf(addressText), BigInt(naturalOf(amount)), blockhash);
    }),
  };
}

function preflight(network: Network, transaction: ParsedTransaction, context: ReadContext): void {
  const landingError = findLandingError(network, transaction, context);
  const simulation = landingError
    ? failureBeforeRun(landingError)
    : network.simulate(transaction, true, context.commitment);
  if (simulation.err === null) return;
  throw new RpcError(
    PREFLIGHT_FAILURE,
    `Transaction simulation failed: ${transactionErrorMessage(simulation.err)}`,
    {
      ...simulationResult(network, context, transaction, simulation, {
        accounts: null,
        withInnerInstructions: false,
      }),
      replacementBlockhash: null,
    },
  );
}

/** The error of a transaction that cannot land; null if none is known before it runs. */
function findLandingError(
  network: Network,
  transaction: ParsedTransaction,
  { commitment }: ReadContext,
): TransactionError | null {
  if (!network.isBlockhashValid(transaction.blockhash, commitment)) return 'BlockhashNotFound';
  return network.hasLanded(transaction, commitment) ? 'AlreadyProcessed' : null;
}
