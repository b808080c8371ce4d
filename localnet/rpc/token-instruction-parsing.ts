import type { Address } from '@solana/kit';
import { ByteReader } from '../byte-reader.ts';
import type { InstructionInput, ParsedInstruction } from './parsed-instruction.ts';
import { uiTokenAmount } from './ui-token-amount.ts';

const AUTHORITY_TYPES = ['mintTokens', 'freezeAccount', 'accountOwner', 'closeAccount'] as const;

/**
 * An instruction of the token programs. Null for rare ones and for extensions of Token-2022, which
 * are shown unparsed.
 */
export function parseTokenInstruction(input: InstructionInput): ParsedInstruction | null {
  const fields = new ByteReader(input.data);
  const parser = PARSERS[fields.u8()];
  if (!parser) return null;
  const [type, parse] = parser;
  const info = parse(input, fields);
  return info && { type, info };
}

type Parser = readonly [type: string, parse: (input: InstructionInput, fields: ByteReader) => object | null];

const amountOf = (fields: ByteReader) => ({ amount: fields.u64().toString() });
const tokenAmountOf = (fields: ByteReader) => ({ tokenAmount: uiTokenAmount(fields.u64(), fields.u8()) });

// The signer follows the other accounts: one wallet, or a multisig followed by its signers.
function signedBy({ accounts, account }: InstructionInput, position: number, role: string): object {
  if (accounts.length <= position + 1) return { [role]: account(position) };
  const multisigRole = `multisig${role.charAt(0).toUpperCase()}${role.slice(1)}`;
  return { [multisigRole]: account(position), signers: accounts.slice(position + 1) };
}

function optionalAddress(fields: ByteReader): Address | null {
  return fields.bool() ? fields.address() : null;
}

function mintTerms({ account }: InstructionInput, fields: ByteReader): object {
  const decimals = fields.u8();
  const mintAuthority = fields.address();
  const freezeAuthority = optionalAddress(fields);
  return { mint: account(0), decimals, mintAuthority, ...(freezeAuthority && { freezeAuthority }) };
}

function newAuthority(input: InstructionInput, fields: ByteReader): object | null {
  const authorityType = AUTHORITY_TYPES[fields.u8()];
  if (!authorityType) return null;
  const owned = authorityType === 'mintTokens' || authorityType === 'freezeAccount' ? 'mint' : 'account';
  return {
    [owned]: input.account(0),
    authorityType,
    newAuthority: optionalAddress(fields),
    ...signedBy(input, 1, 'authority'),
  };
}

const PARSERS: Readonly<Record<number, Parser>> = {
  0: ['initializeMint', (i, f) => ({ ...mintTerms(i, f), rentSysvar: i.account(1) })],
  1: [
    'initializeAccount',
    ({ account }) => ({ account: account(0), mint: account(1), owner: account(2), rentSysvar: account(3) }),
  ],
  3: [
    'transfer',
    (i, f) => ({
      source: i.account(0),
      destination: i.account(1),
      ...amountOf(f),
      ...signedBy(i, 2, 'authority'),
    }),
  ],
  4: [
    'approve',
    (i, f) => ({ source: i.account(0), delegate: i.account(1), ...amountOf(f), ...signedBy(i, 2, 'owner') }),
  ],
  5: ['revoke', (i) => ({ source: i.account(0), ...signedBy(i, 1, 'owner') })],
  6: ['setAuthority', newAuthority],
  7: [
    'mintTo',
    (i, f) => ({
      mint: i.account(0),
      account: i.account(1),
      ...amountOf(f),
      ...signedBy(i, 2, 'mintAuthority'),
    }),
  ],
  8: [
    'burn',
    (i, f) => ({
      account: i.account(0),
      mint: i.account(1),
      ...amountOf(f),
      ...signedBy(i, 2, 'authority'),
    }),
  ],
  9: [
    'closeAccount',
    (i) => ({ account: i.account(0), destination: i.account(1), ...signedBy(i, 2, 'owner') }),
  ],
  10: [
    'freezeAccount',
    (i) => ({ account: i.account(0), mint: i.account(1), ...signedBy(i, 2, 'freezeAuthority') }),
  ],
  11: [
    'thawAccount',
    (i) => ({ account: i.account(0), mint: i.account(1), ...signedBy(i, 2, 'freezeAuthority') }),
  ],
  12: [
    'transferChecked',
    (i, f) => ({
      source: i.account(0),
      mint: i.account(1),
      destination: i.account(2),
      ...tokenAmountOf(f),
      ...signedBy(i, 3, 'authority'),
    }),
  ],
  13: [
    'approveChecked',
    (i, f) => ({
      source: i.account(0),
      mint: i.account(1),
      delegate: i.account(2),
      ...tokenAmountOf(f),
      ...signedBy(i, 3, 'owner'),
    }),
  ],
  14: [
    'mintToChecked',
    (i, f) => ({
      mint: i.account(0),
      account: i.account(1),
      ...tokenAmountOf(f),
      ...signedBy(i, 2, 'mintAuthority'),
    }),
  ],
  15: [
    'burnChecked',
    (i, f) => ({
      account: i.account(0),
      mint: i.account(1),
      ...tokenAmountOf(f),
      ...signedBy(i, 2, 'authority'),
    }),
  ],
  17: ['syncNative', (i) => ({ account: i.account(0) })],
  18: ['initializeAccount3', (i, f) => ({ account: i.account(0), mint: i.account(1), owner: f.address() })],
  20: ['initializeMint2', mintTerms],
  22: ['initializeImmutableOwner', (i) => ({ account: i.account(0) })],
};
