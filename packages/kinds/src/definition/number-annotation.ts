import { quoteGo } from "@coxswain/apimachinery/field";
import { deleteOwn, getOwn, ownKeys } from "@coxswain/apimachinery/own";

/**
 * An annotation that was a member of a version long gone, and upstream makes one of it again when it reads the object: what is
 * no number cannot be read, and the rows of tables, which are made of its own form, do not show it.
 */
export interface NumberAnnotation {
  readonly name: string;
  /** Why an object with it cannot be read. */
  problem(value: string): string | undefined;
}

type Annotated = { annotations?: Record<string, string> };

export const numberProblem = (
  { name, problem }: NumberAnnotation,
  { annotations }: Readonly<Annotated>,
): string | undefined => {
  const value = getOwn(annotations, name);
  return value === undefined ? undefined : problem(value);
};

/** Annotations of which none is left are none. */
export function dropAnnotation(metadata: Annotated, name: string): void {
  if (!metadata.annotations) return;
  deleteOwn(metadata.annotations, name);
  if (ownKeys(metadata.annotations).length === 0) delete metadata.annotations;
}

const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n];

/** The error of Go's strconv for a text that should be an int64. */
export function parseIntProblem(text: string): string | undefined {
  const prefix = `strconv.ParseInt: parsing ${quoteGo(text)}: `;
  if (!/^[+-]?[0-9]+$/.test(text)) return `${prefix}invalid syntax`;
  const value = BigInt(text.replace(/^\+/, ""));
  return value < least || value > most ? `${prefix}value out of range` : undefined;
}
