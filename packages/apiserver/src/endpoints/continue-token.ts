import { badRequest } from "@coxswain/apimachinery/status";

/** Where the next page of a list begins: upstream's format, opaque to clients. */
export interface ContinueToken {
  readonly revision: number;
  /** The first key of the page, relative to the collection's prefix. */
  readonly start: string;
}

export const encodeContinue = ({ revision, start }: ContinueToken): string =>
  Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: revision, start })).toString("base64url");

/** A revision of -1 means: from there on, as of now. */
export function decodeContinue(token: string): ContinueToken {
  const fail = (why: string): never => {
    throw badRequest(`continue key is not valid: ${why}`);
  };
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
  } catch (err) {
    return fail(err instanceof Error ? err.message : String(err));
  }
  const { v, rv, start } = (value ?? {}) as { v?: unknown; rv?: unknown; start?: unknown };
  if (v !== "meta.k8s.io/v1") return fail(`server does not recognize this encoded version ${String(v ?? "")}`);
  if (typeof rv !== "number" || rv === 0 || !Number.isSafeInteger(rv)) return fail("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  if (typeof start !== "string" || start === "") return fail("encoded start key empty (version meta.k8s.io/v1)");
  // A key must stay below its prefix whatever a client writes into it.
  const segments = start.replace(/^\//, "").split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) return fail(start);
  return { revision: rv, start: start.replace(/^\//, "") };
}
