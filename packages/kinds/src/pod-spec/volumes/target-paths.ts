import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";

/** Where files of all sources go: none may go where another went. */
export interface TargetPaths {
  readonly volume: FieldPath;
  readonly taken: Set<string>;
}

/** `shown` is what the message shows as the value: for some sources their name. */
export function claimPath({ volume, taken }: TargetPaths, target: string, shown = target): FieldError[] {
  if (taken.has(target)) return [invalid(volume, shown, "conflicting duplicate paths")];
  taken.add(target);
  return [];
}
