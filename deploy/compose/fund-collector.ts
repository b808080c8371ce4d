// Gives the collector SOL of the local network: `node fund-collector.ts RPC_URL KEY_FILE`.

import { readFile } from 'node:fs/promises';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { callCheatCode } from '../../bin/cheat-code.ts';
import { keygenFile } from '../../bin/key-file.ts';

const LAMPORTS = 1_000_000_000_000;
const [, , rpcUrl = '', file = ''] = process.argv;
const { address } = await createKeyPairSignerFromBytes(keygenFile.read(await readFile(file, 'utf8')));
await callCheatCode(rpcUrl, 'surfnet_setAccount', [address, { lamports: LAMPORTS }]);
console.log(`The collector ${address} has ${LAMPORTS / 1e9} SOL of the local network.`);
