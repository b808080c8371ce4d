import { type Address, getAddressDecoder } from '@solana/kit';
import type { VariableReader } from './variable-reader.ts';
import { collectorVariables, KEY_RULE, previousCollectorVariables } from './variables/collector.ts';

/** A remote signer of collector transactions; docs/operations.md describes its protocol. */
export interface RemoteSigner {
  readonly url: string;
  readonly token: string | undefined;
}

/** Only the address of a collector: for roles that do not sign. */
export interface CollectorAddress {
  readonly address: Address;
}

/**
 * A key in the format of `solana-keygen` (64 bytes: private and public key), a remote signer, or
 * only the address.
 */
export type CollectorSource = Uint8Array | RemoteSigner | CollectorAddress;

/** Whether transactions of the collector can be signed. */
export function canSign(source: CollectorSource): source is Uint8Array | RemoteSigner {
  return !('address' in source);
}

/** Reads the collector of an environment; undefined if none is set or a variable is wrong. */
export function readCollector(reader: VariableReader, environment: string): CollectorSource | undefined {
  const name = `${environment}_COLLECTOR`;
  if (!['KEY', 'SIGNER_URL', 'ADDRESS'].some((end) => reader.isSet(`${name}_${end}`))) {
    reader.report(
      `${name}_KEY is missing: it ${KEY_RULE}; or set ${name}_KEY_FILE or ${name}_SIGNER_URL instead`,
    );
  }
  return readSource(reader, `${name}_`, collectorVariables);
}

/** Reads the previous collector of an environment, which plans may still name. */
export function readPreviousCollector(
  reader: VariableReader,
  environment: string,
): CollectorSource | undefined {
  return readSource(reader, `${environment}_COLLECTOR_PREVIOUS_`, previousCollectorVariables);
}

function readSource(
  reader: VariableReader,
  prefix: string,
  shape: typeof collectorVariables,
): CollectorSource | undefined {
  const values = reader.read(shape, prefix);
  if (!values) return undefined;
  const { KEY: key, SIGNER_URL: url, SIGNER_TOKEN: token, ADDRESS: address } = values;
  if (key && url !== undefined) {
    reader.report(
      `${prefix}SIGNER_URL conflicts with ${prefix}KEY: set only one of them, because a collector has one key`,
    );
  }
  if (token !== undefined && (key || url === undefined)) {
    reader.report(`${prefix}SIGNER_TOKEN has no effect: the collector is not set by ${prefix}SIGNER_URL`);
  }
  if (!key) return url === undefined ? address && { address } : { url, token };
  const keyAddress = getAddressDecoder().decode(key.subarray(32));
  if (address !== undefined && address !== keyAddress) {
    reader.report(
      `${prefix}ADDRESS is ${address}, but the key in ${prefix}KEY has the address ${keyAddress}`,
    );
  }
  return key;
}
