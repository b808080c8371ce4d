import { labels } from '../text/labels.ts';

/** Grey bars in the shape of what is being loaded. */
export function Skeleton({ className = 'h-4 w-full' }: { readonly className?: string }) {
  return <span aria-hidden="true" className={`block animate-pulse rounded-sm bg-sunken ${className}`} />;
}

export function SkeletonRows({ rows = 6 }: { readonly rows?: number }) {
  return (
    <div role="status" className="grid gap-4 p-4">
      <span className="sr-only">{labels.loading}</span>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars have no identity
        <Skeleton key={index} className={index % 3 === 2 ? 'h-4 w-2/3' : 'h-4 w-full'} />
      ))}
    </div>
  );
}
