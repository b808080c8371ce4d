import { Spinner } from '../../shared/components/button.tsx';
import { Icon } from '../../shared/components/icon.tsx';
import type { SolanaWallet } from '../../shared/wallet/wallets.ts';

interface WalletButtonProps {
  readonly wallet: SolanaWallet;
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly onChoose: () => void;
}

/** A wallet of this browser, to choose from a list. */
export function WalletButton({ wallet, isBusy = false, isDisabled = false, onChoose }: WalletButtonProps) {
  return (
    <button
      type="button"
      disabled={isDisabled}
      onClick={onChoose}
      className="flex min-h-13 w-full items-center gap-3 rounded-md px-2 text-left font-medium hover:bg-sunken disabled:opacity-60"
    >
      {/* A wallet whose icon is a URL would learn of the visit. */}
      {wallet.icon.startsWith('data:image/') && (
        <img src={wallet.icon} alt="" className="size-8 rounded-md" />
      )}
      <span className="min-w-0 flex-1">{wallet.name}</span>
      {isBusy ? <Spinner /> : <Icon name="chevronRight" className="size-5 text-soft" />}
    </button>
  );
}
