interface Finalized {
  readonly metadata?: { readonly finalizers?: readonly string[] };
}

export const hasFinalizer = (object: Finalized, finalizer: string): boolean =>
  object.metadata?.finalizers?.includes(finalizer) ?? false;

/** The finalizers of the object with this one among them; the object stays as it is. */
export const withFinalizer = (object: Finalized, finalizer: string): string[] => {
  const finalizers = object.metadata?.finalizers ?? [];
  return finalizers.includes(finalizer) ? [...finalizers] : [...finalizers, finalizer];
};

/** The finalizers of the object without this one. */
export const withoutFinalizer = (object: Finalized, finalizer: string): string[] =>
  (object.metadata?.finalizers ?? []).filter((other) => other !== finalizer);
