import {
  type FieldError,
  type FieldPath,
  invalid,
  namedText,
  notSupported,
  required,
} from "@coxswain/apimachinery/field";
import { checkDnsLabel, checkDnsSubdomain, checkLabelKey, type Problems } from "@coxswain/apimachinery/validation";

type Path = FieldPath | undefined;

const none: readonly FieldError[] = [];

/** One error for each problem that a check finds about a value. */
export const problemsAt = (path: Path, value: unknown, problems: Problems): readonly FieldError[] =>
  problems.length === 0 ? none : problems.map((problem) => invalid(path, value, problem));

export const checkDnsLabelAt = (value: string, path: Path): readonly FieldError[] =>
  problemsAt(path, value, checkDnsLabel(value));

export const checkDnsSubdomainAt = (value: string, path: Path): readonly FieldError[] =>
  problemsAt(path, value, checkDnsSubdomain(value));

export const checkQualifiedNameAt = (value: string, path: Path): readonly FieldError[] =>
  problemsAt(path, value, checkLabelKey(value));

/** A text of a list. The list is printed as given, so it stands in upstream's order, which is mostly sorted. */
export const checkOneOf = (
  value: string | undefined,
  supported: readonly string[],
  path: Path,
): readonly FieldError[] =>
  supported.includes(value ?? "") ? none : [notSupported(path, namedText(value ?? ""), supported)];

/** The same where leaving it out is an error of its own. */
export const checkRequiredOneOf = (
  value: string | undefined,
  supported: readonly string[],
  path: Path,
): readonly FieldError[] =>
  value === undefined || value === "" ? [required(path)] : checkOneOf(value, supported, path);

export const checkPresent = (value: string | undefined, path: FieldPath, member: string): readonly FieldError[] =>
  value === undefined || value === "" ? [required(path.child(member))] : none;
