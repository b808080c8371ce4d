import {
  AccountState,
  createInitializeDefaultAccountStateInstruction,
  createInitializeInstruction,
  createInitializeInterestBearingMintInstruction,
  createInitializeMetadataPointerInstruction,
  createInitializeMint2Instruction,
  createInitializeMintCloseAuthorityInstruction,
  createInitializePermanentDelegateInstruction,
  createInitializeTransferFeeConfigInstruction,
  createInitializeTransferHookInstruction,
  ExtensionType,
  getMintLen,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { Keypair, SystemProgram, sendAndConfirmTransaction, Transaction } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { tokenExtensionsOf } from '../../../localnet/rpc/token-extensions.ts';
import { startWorld } from './world.ts';

const METADATA_RENT_LAMPORTS = 10_000_000;

describe('the extensions of a Token-2022 mint', () => {
  it('are returned as a cluster returns them', async () => {
    const world = await startWorld();
    const payer = world.fundedKeypair();
    const mint = Keypair.generate();
    const authority = Keypair.generate().publicKey;
    const program = TOKEN_2022_PROGRAM_ID;
    const space = getMintLen([
      ExtensionType.TransferFeeConfig,
      ExtensionType.MintCloseAuthority,
      ExtensionType.DefaultAccountState,
      ExtensionType.InterestBearingConfig,
      ExtensionType.PermanentDelegate,
      ExtensionType.TransferHook,
      ExtensionType.MetadataPointer,
    ]);
    const lamports = await world.web3.getMinimumBalanceForRentExemption(space);
    const newAccountPubkey = mint.publicKey;
    const createMint = new Transaction().add(
      SystemProgram.createAccount({
        fromPubkey: payer.publicKey,
        newAccountPubkey,
        space,
        lamports: lamports + METADATA_RENT_LAMPORTS,
        programId: program,
      }),
      createInitializeTransferFeeConfigInstruction(newAccountPubkey, authority, null, 50, 1_000n, program),
      createInitializeMintCloseAuthorityInstruction(newAccountPubkey, authority, program),
      createInitializeDefaultAccountStateInstruction(newAccountPubkey, AccountState.Frozen, program),
      createInitializeInterestBearingMintInstruction(newAccountPubkey, authority, 250, program),
      createInitializePermanentDelegateInstruction(newAccountPubkey, authority, program),
      createInitializeTransferHookInstruction(newAccountPubkey, authority, authority, program),
      createInitializeMetadataPointerInstruction(newAccountPubkey, authority, newAccountPubkey, program),
      createInitializeMint2Instruction(newAccountPubkey, 6, payer.publicKey, payer.publicKey, program),
    );
    const addMetadata = createInitializeInstruction({
      programId: program,
      mint: newAccountPubkey,
      metadata: newAccountPubkey,
      mintAuthority: payer.publicKey,
      updateAuthority: authority,
      name: 'Dollar',
      symbol: 'USD',
      uri: 'https://dollar.example',
    });
    await sendAndConfirmTransaction(world.web3, createMint, [payer, mint]);
    await sendAndConfirmTransaction(world.web3, new Transaction().add(addMetadata), [payer]);

    const account = await world.kit
      .getAccountInfo(newAccountPubkey.toBase58() as never, { encoding: 'jsonParsed' })
      .send();
    const authorityAddress = authority.toBase58();
    const fee = { epoch: expect.any(BigInt), maximumFee: 1_000n, transferFeeBasisPoints: 50 };
    expect(account.value?.data).toMatchObject({
      program: 'spl-token-2022',
      parsed: {
        type: 'mint',
        info: {
          decimals: 6,
          extensions: [
            {
              extension: 'transferFeeConfig',
              state: {
                transferFeeConfigAuthority: authorityAddress,
                withdrawWithheldAuthority: null,
                withheldAmount: 0n,
                olderTransferFee: fee,
                newerTransferFee: fee,
              },
            },
            { extension: 'mintCloseAuthority', state: { closeAuthority: authorityAddress } },
            { extension: 'defaultAccountState', state: { accountState: 'frozen' } },
            {
              extension: 'interestBearingConfig',
              state: { rateAuthority: authorityAddress, currentRate: 250 },
            },
            { extension: 'permanentDelegate', state: { delegate: authorityAddress } },
            {
              extension: 'transferHook',
              state: { authority: authorityAddress, programId: authorityAddress },
            },
            { extension: 'metadataPointer', state: { metadataAddress: newAccountPubkey.toBase58() } },
            {
              extension: 'tokenMetadata',
              state: {
                updateAuthority: authorityAddress,
                mint: newAccountPubkey.toBase58(),
                name: 'Dollar',
                symbol: 'USD',
                uri: 'https://dollar.example',
                additionalMetadata: [],
              },
            },
          ],
        },
      },
    });
  });

  it('are not parsed if they are unknown or too short', () => {
    const unparseable = { extension: 'unparseableExtension' };
    const withExtension = (type: number, length: number) => {
      const data = Buffer.alloc(166 + 4 + length);
      data.writeUInt16LE(type, 166);
      data.writeUInt16LE(length, 168);
      return data;
    };
    expect(tokenExtensionsOf(withExtension(999, 8))).toEqual([unparseable]);
    expect(tokenExtensionsOf(withExtension(1, 8))).toEqual([unparseable]);
    expect(tokenExtensionsOf(withExtension(0, 8))).toEqual([]);
    expect(tokenExtensionsOf(Buffer.alloc(165))).toEqual([]);
  });
});
