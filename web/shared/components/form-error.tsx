/** An error of a form that belongs to none of its fields. */
export function FormError({ message }: { readonly message: string | undefined }) {
  if (!message) return null;
  return (
    <p role="alert" className="text-bad">
      {message}
    </p>
  );
}
