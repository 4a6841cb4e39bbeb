import { getOwn } from "@coxswain/apimachinery/own";
import { decodeBase64 } from "./base64-text.js";
import type { Pem } from "./client-config.js";

/** Makes a path absolute that stands in a file. */
export type ResolvePath = (path: string, file: string | undefined) => string;

/** Reports a problem of a field. */
export type Refuse = (field: string, problem: string) => never;

/** `name-data`, or the file that `name` names. */
export function pemOf(
  entry: object,
  name: string,
  { file, refuse, resolvePath }: { file: string | undefined; refuse: Refuse; resolvePath: ResolvePath },
): Pem | undefined {
  const members = entry as Readonly<Record<string, string | undefined>>;
  const encoded = getOwn(members, `${name}-data`);
  const path = getOwn(members, name);
  if (encoded && path) return refuse(`${name}-data`, `it cannot be set together with ${name}`);
  if (encoded) {
    const data = decodeBase64(encoded);
    return data === undefined ? refuse(`${name}-data`, "it is no base64") : { data };
  }
  return path ? { file: resolvePath(path, file) } : undefined;
}
