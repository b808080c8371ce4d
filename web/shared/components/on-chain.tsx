import { useCluster } from '../api/cluster.ts';
import { labels } from '../text/labels.ts';
import { ShortId } from './copy-button.tsx';
import { Icon } from './icon.tsx';

interface OnChainProps {
  readonly kind: 'tx' | 'address';
  /** Base58. */
  readonly value: string;
}

/** A signature or address, with a button that copies it and a link to a block explorer. */
export function OnChain({ kind, value }: OnChainProps) {
  const explorerUrl = useCluster()?.explorerUrl;
  return (
    <span className="inline-flex items-center whitespace-nowrap">
      <ShortId value={value} />
      {explorerUrl && (
        <a
          href={explorerUrl.replace('{path}', `${kind}/${value}`)}
          target="_blank"
          rel="noreferrer"
          aria-label={labels.explorer}
          title={labels.explorer}
          className="inline-grid size-6 place-items-center rounded-sm text-soft hover:bg-sunken hover:text-ink"
        >
          <Icon name="external" className="size-3.5" />
        </a>
      )}
    </span>
  );
}
