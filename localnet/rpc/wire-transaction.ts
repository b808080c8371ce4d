import { decodeBase58 } from '../../src/base58/base58.ts';
import { loadAddresses } from '../lookup-tables.ts';
import type { Network } from '../network.ts';
import {
  MAX_WIRE_BYTES,
  MalformedTransaction,
  type ParsedTransaction,
  parseTransaction,
  UnsanitaryTransaction,
  VERSION_0_PREFIX,
  VERSION_1_PREFIX,
} from '../transaction.ts';
import type { ReadContext } from './context.ts';
import { base58Problem, base64Problem, invalidParams, stringOf } from './params.ts';
import { transactionErrorMessage } from './transaction-error-message.ts';

export const TRANSACTION_ENCODINGS = ['base58', 'base64', 'binary', 'json', 'jsonParsed'] as const;
const TRANSACTION_TYPE = 'solana_transaction::versioned::VersionedTransaction';
const MESSAGE_TYPE = 'solana_message::versions::VersionedMessage';
const SIGNATURE_BYTES = 64;

type WireEncoding = 'base58' | 'base64';

/**
 * Decodes and parses the input of sendTransaction and simulateTransaction.
 *
 * @throws RpcError with a cluster's message if it is too large, wrongly encoded, not a transaction,
 *   or inconsistent
 */
export function decodeTransaction(
  value: unknown,
  encodingName: (typeof TRANSACTION_ENCODINGS)[number],
): ParsedTransaction {
  const text = stringOf(value);
  if (encodingName === 'json' || encodingName === 'jsonParsed') {
    throw invalidParams(`unsupported encoding: ${encodingName}. Supported encodings: base58, base64`);
  }
  const wire = decodeWire(text, encodingName === 'base64' ? 'base64' : 'base58', TRANSACTION_TYPE);
  return parseOrRefuse(wire, TRANSACTION_TYPE, 'invalid transaction');
}

/**
 * Decodes a message, the input of getFeeForMessage, as an unsigned transaction.
 *
 * @throws RpcError in the same cases as `decodeTransaction`
 */
export function decodeMessage(value: unknown): ParsedTransaction {
  const message = decodeWire(stringOf(value), 'base64', MESSAGE_TYPE);
  const isVersioned = message[0] === VERSION_0_PREFIX || message[0] === VERSION_1_PREFIX;
  const signatureCount = message[isVersioned ? 1 : 0] ?? 0;
  const signatures = new Uint8Array(signatureCount * SIGNATURE_BYTES);
  const wire =
    message[0] === VERSION_1_PREFIX
      ? Buffer.concat([message, signatures])
      : Buffer.concat([Uint8Array.of(signatureCount), signatures, message]);
  return parseOrRefuse(wire, MESSAGE_TYPE, 'invalid transaction message');
}

/**
 * Checks that the addresses from lookup tables exist.
 *
 * @throws RpcError with the message of a cluster, which loads the addresses first
 */
export function requireLookups(
  network: Network,
  transaction: ParsedTransaction,
  { commitment }: ReadContext,
): void {
  const loaded = loadAddresses(transaction, (address) => network.getAccount(address, commitment));
  if ('err' in loaded) throw invalidParams(`invalid transaction: ${transactionErrorMessage(loaded.err)}`);
}

function parseOrRefuse(wire: Uint8Array, type: string, invalid: string): ParsedTransaction {
  try {
    return parseTransaction(wire);
  } catch (error) {
    if (error instanceof UnsanitaryTransaction) {
      throw invalidParams(`${invalid}: ${transactionErrorMessage('SanitizeFailure')}`);
    }
    if (error instanceof MalformedTransaction) {
      throw invalidParams(`failed to deserialize ${type}: ${error.message}`);
    }
    throw error;
  }
}

function decodeWire(text: string, encoding: WireEncoding, type: string): Uint8Array {
  // The length is checked before decoding, because decoding a long base58 text is slow.
  refuseLonger(text, encoding, type, MAX_WIRE_BYTES[1]);
  const wire = encoding === 'base64' ? decodeBase64(text) : decodeBase58Strictly(text);
  const maxBytes = wire[0] === VERSION_1_PREFIX ? MAX_WIRE_BYTES[1] : MAX_WIRE_BYTES.legacy;
  refuseLonger(text, encoding, type, maxBytes);
  if (wire.length > maxBytes) {
    throw invalidParams(`decoded ${type} too large: ${wire.length} bytes (max: ${maxBytes} bytes)`);
  }
  return wire;
}

function refuseLonger(text: string, encoding: WireEncoding, type: string, maxBytes: number): void {
  const maxLength =
    encoding === 'base64'
      ? Math.ceil(maxBytes / 3) * 4
      : Math.ceil((maxBytes * Math.log(256)) / Math.log(58));
  if (text.length <= maxLength) return;
  throw invalidParams(
    `${encoding} encoded ${type} too large: ${text.length} bytes (max: encoded/raw ${maxLength}/${maxBytes})`,
  );
}

function decodeBase64(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  const problem = base64Problem(text, bytes);
  if (problem) throw invalidParams(`invalid base64 encoding: ${problem}`);
  return bytes;
}

function decodeBase58Strictly(text: string): Uint8Array {
  const problem = base58Problem(text);
  if (problem) throw invalidParams(`invalid base58 encoding: ${problem}`);
  return decodeBase58(text);
}
