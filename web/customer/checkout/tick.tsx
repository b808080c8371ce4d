/** A decoration. The text beside it has the same meaning. */
export function Tick({ className }: { readonly className: string }) {
  return (
    <svg viewBox="0 0 48 48" aria-hidden="true" className={`shrink-0 fill-none ${className}`}>
      <circle cx="24" cy="24" r="22" className="fill-good-ground" />
      <path
        d="m14 25 7 7 14-15"
        className="stroke-good"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
