import type { Bytes } from './wallet-standard.ts';

/** An instruction of a transaction. */
export interface Instruction {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Bytes;
}

const SYSTEM = '11111111111111111111111111111111';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const PROGRAMS: Readonly<Record<string, string>> = {
  [SYSTEM]: 'System',
  ComputeBudget111111111111111111111111111111: 'Compute budget',
  [TOKEN]: 'Token',
  [TOKEN_2022]: 'Token 2022',
  [ASSOCIATED_TOKEN]: 'Associated token account',
  MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr: 'Memo',
};
const SUBSCRIPTIONS_PROGRAM = 'De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44';
/** The program's instructions by the first byte of their data. */
const SUBSCRIPTIONS_INSTRUCTIONS: Readonly<Record<number, string>> = {
  0: 'allow subscriptions from this wallet, each within its own limit',
  1: 'create a fixed delegation',
  2: 'create a recurring delegation',
  3: 'revoke a delegation',
  6: 'close the authority of this wallet',
  7: 'create a plan',
  8: 'change a plan',
  9: 'delete a plan',
  11: 'subscribe to a plan',
  12: 'cancel a subscription',
  13: 'resume a subscription',
  14: 'revoke the authority of this wallet',
  17: 'cancel a subscription at once',
};

/**
 * The instructions in words, as a person approves them: `Subscriptions: create a plan`. A transfer
 * says how much it sends to whom.
 */
export function instructionTexts(instructions: readonly Instruction[], usdcMint: string): string[] {
  // The wallets whose token accounts the transaction creates, so that a receiver has a name.
  const owners = new Map(
    instructions
      .filter(({ program }) => program === ASSOCIATED_TOKEN)
      .map(({ accounts: [, tokenAccount = '', owner = ''] }) => [tokenAccount, owner]),
  );
  return instructions.map((instruction) => {
    const { program, data } = instruction;
    if (program === SUBSCRIPTIONS_PROGRAM) {
      return `Subscriptions: ${SUBSCRIPTIONS_INSTRUCTIONS[data[0] ?? -1] ?? `instruction ${data[0]}`}`;
    }
    const name = PROGRAMS[program] ?? `Program ${program}`;
    const transfer = transferOf(instruction, usdcMint);
    if (!transfer) return name;
    const owner = owners.get(transfer.to);
    const receiver = owner ?? transfer.to;
    const kind = program === SYSTEM || owner !== undefined ? 'wallet' : 'token account';
    return `${name}: send ${transfer.amount} to the ${kind} ${receiver}`;
  });
}

interface Transfer {
  /** `2.5 USDC` */
  readonly amount: string;
  readonly to: string;
}

/** System: Transfer, a number of four bytes. */
const TRANSFER_SOL = 2;
/** Token: Transfer and TransferChecked, one byte each. */
const TRANSFER = 3;
const TRANSFER_CHECKED = 12;
const SOL_DECIMALS = 9;

function transferOf({ program, accounts, data }: Instruction, usdcMint: string): Transfer | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (program === SYSTEM && data.length === 12 && view.getUint32(0, true) === TRANSFER_SOL) {
    return { amount: `${decimal(view.getBigUint64(4, true), SOL_DECIMALS)} SOL`, to: accounts[1] ?? '' };
  }
  if (program !== TOKEN && program !== TOKEN_2022) return undefined;
  if (data[0] === TRANSFER && data.length === 9) {
    return { amount: `${view.getBigUint64(1, true)} base units`, to: accounts[1] ?? '' };
  }
  if (data[0] !== TRANSFER_CHECKED || data.length !== 10) return undefined;
  const [, mint = '', to = ''] = accounts;
  const unit = mint === usdcMint ? 'USDC' : `of the token ${mint}`;
  return { amount: `${decimal(view.getBigUint64(1, true), data[9] ?? 0)} ${unit}`, to };
}

/** A number of base units with its decimals: `2.5`. */
function decimal(amount: bigint, decimals: number): string {
  const digits = String(amount).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
