import { compareUtf8, stringifyJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";

/**
 * A patched object as upstream's patch library writes it (gopkg.in/evanphx/json-patch.v4/patch.go, partialDoc): objects that were only carried along keep the order of their members,
 * those that the patch went through are sorted. Patching shares what it does not touch, which distinguishes them.
 */
export function patchedText(patched: unknown, carried: readonly unknown[]): string {
  const untouched = new Set<unknown>();
  const collect = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    untouched.add(value);
    for (const member of Object.values(value)) collect(member);
  };
  carried.forEach(collect);

  const write = (value: unknown): string => {
    if (typeof value !== "object" || value === null || untouched.has(value)) return stringifyJson(value);
    if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
    const members = Object.keys(value).sort(compareUtf8);
    return `{${members.map((name) => `${stringifyJson(name)}:${write(getOwn<unknown>(value as Record<string, unknown>, name))}`).join(",")}}`;
  };
  return write(patched);
}
