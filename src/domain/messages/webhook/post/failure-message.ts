import { RefusedAddressError } from './address-guard.ts';
import { UnusableAnswerError } from './unusable-answer-error.ts';

/** Messages for the merchant, by the error code of Node, OpenSSL or the resolver. */
const MESSAGES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: 'the host name could not be resolved at the moment',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  ETIMEDOUT: 'the host did not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  EPROTO: 'TLS: no secure connection',
  CERT_HAS_EXPIRED: 'TLS: the certificate has expired',
  CERT_NOT_YET_VALID: 'TLS: the certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'TLS: the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'TLS: the certificate is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'TLS: the certificate is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'TLS: a certificate is missing between yours and the authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'TLS: the certificate is for another host name',
};

/**
 * The message for an error. It uses only the error's code, because Node's messages contain
 * addresses of our network.
 */
export function messageForFailure(error: unknown): string {
  if (error instanceof RefusedAddressError || error instanceof UnusableAnswerError) return error.message;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === undefined) return 'no connection';
  const message = MESSAGES[code];
  if (message !== undefined) return message;
  if (/SSL|TLS|CERT/.test(code)) return `TLS: no secure connection (${code})`;
  if (code.startsWith('HPE_')) return `the answer is not HTTP (${code})`;
  return `no connection (${code})`;
}
