import { DecodeError, decodeJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { createNode, typeCodes } from "@coxswain/apimachinery/schema";
import { badRequest, type StatusError } from "@coxswain/apimachinery/status";
import { goJsonKind } from "@coxswain/apimachinery/text";

/** Where the next page of a list begins: upstream's format, opaque to clients. */
export interface ContinueToken {
  readonly revision: number;
  /** The first key of the page, relative to the collection's prefix. */
  readonly start: string;
}

const version = "meta.k8s.io/v1";
const anything = createNode(typeCodes.json);

export const encodeContinue = ({ revision, start }: ContinueToken): string =>
  Buffer.from(JSON.stringify({ v: version, rv: revision, start })).toString("base64url");

/** A revision of -1 means: from there on, as of now. Throws 400 in upstream's words. */
export function decodeContinue(token: string): ContinueToken {
  const value = parse(token);
  const v = member(value, "v", "string") ?? "";
  const revision = member(value, "rv", "number") ?? 0;
  const start = member(value, "start", "string") ?? "";
  if (v !== version) throw refuse(`: server does not recognize this encoded version ${v}`);
  if (revision === 0) throw refuse(`: incorrect encoded start resourceVersion (version ${version})`);
  if (start === "") throw refuse(`: encoded start key empty (version ${version})`);
  // A key must stay below its prefix whatever a client writes into it.
  const relative = start.replace(/^\//, "");
  if (relative.split("/").some((segment) => segment === "" || segment === "." || segment === ".."))
    throw refuse(`: ${start}`);
  return { revision, start: relative };
}

const refuse = (why: string): StatusError => badRequest(`invalid continue token: continue key is not valid${why}`);

function parse(token: string): Readonly<Record<string, unknown>> {
  const illegal = /[^A-Za-z0-9_-]/.exec(token)?.index ?? (token.length % 4 === 1 ? token.length - 1 : undefined);
  if (illegal !== undefined) throw refuse(`: illegal base64 data at input byte ${illegal}`);
  try {
    const { object } = decodeJson(Buffer.from(token, "base64url"), anything);
    if (typeof object === "object" && !Array.isArray(object)) return (object ?? {}) as Record<string, unknown>;
    throw refuse(`: json: cannot unmarshal ${goJsonKind(object)} into Go value of type storage.continueToken`);
  } catch (err) {
    if (err instanceof DecodeError) throw refuse(`: ${err.message}`);
    throw err;
  }
}

function member(value: Readonly<Record<string, unknown>>, name: string, type: "string"): string | undefined;
function member(value: Readonly<Record<string, unknown>>, name: string, type: "number"): number | undefined;
function member(value: Readonly<Record<string, unknown>>, name: string, type: "string" | "number"): unknown {
  const found = getOwn<unknown>(value, name) ?? undefined;
  if (found === undefined || (typeof found === type && (type === "string" || Number.isSafeInteger(found))))
    return found;
  throw refuse(
    `: json: cannot unmarshal ${goJsonKind(found)} into Go struct field continueToken.${name} of type ${type === "string" ? "string" : "int64"}`,
  );
}
