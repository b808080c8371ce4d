/** Instructions with one fault, as an attacker, an old client or a bug would send. */
import {
  type AccountMeta,
  AccountRole,
  type Address,
  downgradeRoleToNonSigner,
  downgradeRoleToReadonly,
  type Instruction,
  type TransactionSigner,
  upgradeRoleToSigner,
} from '@solana/kit';

function changeAccount(
  instruction: Instruction,
  index: number,
  change: (account: AccountMeta) => AccountMeta,
) {
  const accounts = [...(instruction.accounts ?? [])] as AccountMeta[];
  const account = accounts[index];
  if (!account) throw new Error(`The instruction has no account ${index}.`);
  accounts[index] = change(account);
  return { ...instruction, accounts };
}

export function withAddress(instruction: Instruction, index: number, address: Address): Instruction {
  return changeAccount(instruction, index, ({ role }) => ({ address, role }));
}

export function withoutSignature(instruction: Instruction, index: number): Instruction {
  return changeAccount(instruction, index, ({ address, role }) => ({
    address,
    role: downgradeRoleToNonSigner(role),
  }));
}

export function makeReadonly(instruction: Instruction, index: number): Instruction {
  // The signer, if there is one, stays in the meta.
  return changeAccount(instruction, index, (account) => ({
    ...account,
    role: downgradeRoleToReadonly(account.role),
  }));
}

export function withoutLastAccount(instruction: Instruction): Instruction {
  return { ...instruction, accounts: (instruction.accounts ?? []).slice(0, -1) };
}

function withAccount(instruction: Instruction, account: AccountMeta): Instruction {
  return { ...instruction, accounts: [...(instruction.accounts ?? []), account] };
}

/** Replaces the payer if the instruction already has this one. */
function withPayerMeta(instruction: Instruction, payer: AccountMeta): Instruction {
  const last = instruction.accounts?.at(-1);
  return withAccount(last?.address === payer.address ? withoutLastAccount(instruction) : instruction, payer);
}

export function withExtraAccount(instruction: Instruction, address: Address): Instruction {
  return withAccount(instruction, { address, role: AccountRole.READONLY });
}

/** Writes bytes into the data, at an offset from the end of the discriminator. */
export function withData(instruction: Instruction, offset: number, bytes: Uint8Array): Instruction {
  const data = Uint8Array.from(instruction.data ?? []);
  data.set(bytes, 1 + offset);
  return { ...instruction, data };
}

export function withDataLength(instruction: Instruction, change: 1 | -1): Instruction {
  const data = Buffer.from(instruction.data ?? []);
  return { ...instruction, data: change < 0 ? data.subarray(0, -1) : Buffer.concat([data, Buffer.alloc(1)]) };
}

/** Replaces an account by another signer. */
export function withSigner(instruction: Instruction, index: number, signer: TransactionSigner): Instruction {
  return changeAccount(instruction, index, ({ role }) => {
    return { address: signer.address, role: upgradeRoleToSigner(role), signer } as AccountMeta;
  });
}

/** Appends an optional payer that did not sign. */
export function withUnsignedPayer(instruction: Instruction, { address }: TransactionSigner): Instruction {
  return withPayerMeta(instruction, { address, role: AccountRole.WRITABLE });
}

/** Appends an optional payer that signed, but whose lamports may not change. */
export function withReadonlyPayer(instruction: Instruction, signer: TransactionSigner): Instruction {
  return withPayer(instruction, signer, AccountRole.READONLY_SIGNER);
}

/** Appends a valid optional payer. */
export function withPayer(
  instruction: Instruction,
  signer: TransactionSigner,
  role = AccountRole.WRITABLE_SIGNER,
) {
  return withPayerMeta(instruction, { address: signer.address, role, signer } as AccountMeta);
}
