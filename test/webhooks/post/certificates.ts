import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A key and its certificate, as TLS servers accept them. */
export interface Certified {
  /** PEM. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
}

interface CertificateTerms {
  readonly host: string;
  /** Start of the validity, in days from now. */
  readonly from?: number;
  /** End of the validity, in days from now. */
  readonly until?: number;
  /** Without an issuer, the certificate is self-signed. */
  readonly issuer?: Authority;
}

export interface Authority extends Certified {
  readonly name: string;
  readonly signer: KeyObject;
}

export function newAuthority(name: string): Authority {
  const { publicKey, privateKey } = newKeys();
  // basicConstraints: the authority may sign certificates.
  const extension = sequence(oid(2, 5, 29, 19), der(0x01, [0xff]), octets(sequence(der(0x01, [0xff]))));
  const cert = encodeCertificate({
    name,
    publicKey,
    extension,
    issuer: name,
    signer: privateKey,
    from: -30,
    until: 30,
  });
  return { name, signer: privateKey, cert, key: pem(privateKey) };
}

export function newCertificate({ host, from = -1, until = 1, issuer }: CertificateTerms): Certified {
  const { publicKey, privateKey } = newKeys();
  // subjectAltName: a DNS name.
  const extension = sequence(oid(2, 5, 29, 17), octets(sequence(der(0x82, Buffer.from(host)))));
  const issuedBy = { issuer: issuer?.name ?? host, signer: issuer?.signer ?? privateKey };
  const cert = encodeCertificate({ name: host, publicKey, extension, from, until, ...issuedBy });
  return { cert: cert + (issuer?.cert ?? ''), key: pem(privateKey) };
}

interface Content {
  readonly name: string;
  readonly publicKey: KeyObject;
  readonly extension: Buffer;
  readonly from: number;
  readonly until: number;
  readonly issuer: string;
  readonly signer: KeyObject;
}

/** Encodes a minimal certificate of version 3: RFC 5280, section 4.1. */
function encodeCertificate({ name, publicKey, extension, from, until, issuer, signer }: Content): string {
  const algorithm = sequence(oid(1, 2, 840, 10045, 4, 3, 2)); // ecdsa-with-SHA256
  const content = sequence(
    der(0xa0, integer(2)),
    integer(Math.ceil(Math.random() * 0x7f)),
    algorithm,
    distinguishedName(issuer),
    sequence(utcTime(from), utcTime(until)),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = der(0x03, [0], sign('sha256', content, signer));
  const base64 = sequence(content, algorithm, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

function newKeys() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Encodes a tag, the length of the content, and the content. */
function der(tag: number, ...parts: readonly (Uint8Array | readonly number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = body;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const octets = (content: Uint8Array) => der(0x04, content);
const integer = (value: number) => der(0x02, [value]);

function oid(first: number, second: number, ...others: readonly number[]): Buffer {
  const base128 = (value: number): number[] =>
    value < 0x80 ? [value] : [...base128(value >> 7).map((byte) => byte | 0x80), value & 0x7f];
  return der(0x06, [40 * first + second, ...others.flatMap(base128)]);
}

function distinguishedName(commonName: string): Buffer {
  return sequence(der(0x31, sequence(oid(2, 5, 4, 3), der(0x0c, Buffer.from(commonName)))));
}

/** UTCTime, `YYMMDDhhmmssZ`. */
function utcTime(daysFromNow: number): Buffer {
  const at = new Date(Date.now() + daysFromNow * 86_400_000).toISOString();
  return der(0x17, Buffer.from(`${at.replace(/[-T:]/g, '').slice(2, 14)}Z`));
}
