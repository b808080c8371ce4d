/** A note that no real money moves. */
export function TestNote({ children }: { readonly children: string }) {
  return (
    <p className="rounded-md bg-warn-ground px-3 py-2 text-center text-sm font-semibold text-warn">
      {children}
    </p>
  );
}
