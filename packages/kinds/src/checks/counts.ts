import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import { validateNonnegative } from "@coxswain/apimachinery/validation";

type Counts<Name extends string> = { readonly [K in Name]?: number };

/** Counts in a status that may not be negative, in the order given; those left out are not validated. */
export const checkCounts = <Name extends string>(
  status: Counts<Name>,
  names: readonly Name[],
  path: FieldPath,
): FieldError[] => names.flatMap((name) => validateNonnegative(status[name] ?? 0, path.child(name)));

/** `name` counts part of what `whole` counts. */
export const checkPart = <Name extends string>(
  status: Counts<Name>,
  name: Name,
  whole: Name,
  path: FieldPath,
  shown: string,
): FieldError[] => {
  const count = status[name] ?? 0;
  return count > (status[whole] ?? 0) ? [invalid(path.child(name), count, `cannot be greater than ${shown}`)] : [];
};

/** Counts names that were taken, so it only grows. */
export const checkCollisions = (next: number | undefined, old: number | undefined, path: FieldPath): FieldError[] =>
  old !== undefined && (next === undefined || next < old)
    ? [invalid(path.child("collisionCount"), next ?? 0, "cannot be decremented")]
    : [];
