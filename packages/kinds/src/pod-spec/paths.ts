import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";

type Path = FieldPath | undefined;

export const isAbsolute = (target: string): boolean => target.startsWith("/");

/** No element of the path is `..`. */
export const checkNoBacksteps = (target: string, path: Path): FieldError[] =>
  target.includes("..") && target.split("/").includes("..") ? [invalid(path, target, "must not contain '..'")] : [];

/** Relative, and never upwards. */
export function checkDescendingPath(target: string, path: Path): FieldError[] {
  const backsteps = checkNoBacksteps(target, path);
  return isAbsolute(target) ? [invalid(path, target, "must be a relative path"), ...backsteps] : backsteps;
}

/** A descending path for a file that the kubelet writes: it keeps names that begin with two dots for itself. */
export function checkLocalPath(target: string, path: Path): FieldError[] {
  const errors = checkDescendingPath(target, path);
  if (target.startsWith("..") && !target.startsWith("../"))
    errors.push(invalid(path, target, "must not start with '..'"));
  return errors;
}

/** What Go's strings.TrimSpace takes off. JavaScript's trim also takes U+FEFF and leaves U+0085. */
export const isPadded = (text: string): boolean => /^[\s\u0085]|[\s\u0085]$/.test(text.replaceAll("\ufeff", "x"));
