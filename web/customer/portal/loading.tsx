import { Skeleton } from '../../shared/components/skeleton.tsx';
import { portal as text } from '../../shared/text/portal.ts';
import { Frame } from '../shared/frame.tsx';

/** The page while its data loads. */
export function Loading() {
  return (
    <Frame>
      <LoadingCards />
    </Frame>
  );
}

export function LoadingCards() {
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">{text.loading}</span>
      <Skeleton className="h-8 w-2/3" />
      <Skeleton className="h-24 w-full rounded-lg" />
      <Skeleton className="h-24 w-full rounded-lg" />
    </div>
  );
}
