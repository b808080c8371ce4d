import { accountOf } from './accounts.ts';
import { LocalWallet } from './local-wallet.ts';
import { readSettings } from './network.ts';
import { registerWallet } from './wallet-standard.ts';

// A wallet for trying out: it holds test money of the local network that serves it.

const { usdcMint, accounts } = await readSettings();
const named = await Promise.all(accounts.map(({ name, keyPair }) => accountOf(name, keyPair)));
registerWallet(new LocalWallet(named, usdcMint));
