import { DecodeError, decodeJson, scanHead, walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { badRequest, unsupportedMediaType } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import type { HandlerDeps } from "./handler-deps.js";
import type { RequestContext } from "./request-context.js";
import type { FieldValidation } from "./write-options.js";

const json = "application/json";

/** The object a client sent: strict checks as asked for, canonical form, defaults set; a private copy. */
export async function decodeBody(deps: HandlerDeps, context: RequestContext, kind: AnyKind, validation: FieldValidation): Promise<KubernetesObject> {
  const { body } = context.request;
  const object = body.as === "value" ? (walk(body.value, kind.schema) as KubernetesObject) : decodeBytes(context, kind, validation, await readBody(deps, context));
  kind.setDefaults?.(object);
  return object;
}

export function readBody(deps: HandlerDeps, { request }: RequestContext): Promise<Uint8Array> {
  return request.body.as === "bytes" ? request.body.read(deps.maxBodyBytes) : Promise.resolve(new TextEncoder().encode(JSON.stringify(request.body.value)));
}

function decodeBytes(context: RequestContext, kind: AnyKind, validation: FieldValidation, bytes: Uint8Array): KubernetesObject {
  const contentType = mediaTypeOf(context.request.header("content-type"));
  if (contentType !== json && contentType !== "") throw unsupportedMediaType([json]);
  const head = headOf(kind, bytes);
  const expected = kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
  if (head.kind !== undefined && head.kind !== "" && head.kind !== kind.kind) throw cannotHandle(head, kind, `no kind "${head.kind}" is registered for version "${head.apiVersion || expected}" in scheme`);
  if (head.apiVersion && head.apiVersion !== expected) throw badRequest(`the API version in the data (${head.apiVersion}) does not match the expected API version (${expected})`);
  try {
    const { object, warnings } = decodeJson(bytes, kind.schema, { strict: validation !== "Ignore" });
    if (warnings.length > 0 && validation === "Strict") throw strictError(kind, warnings);
    context.warnings.push(...warnings);
    const typed = object as KubernetesObject;
    typed.kind = kind.kind;
    typed.apiVersion = expected;
    return typed;
  } catch (err) {
    if (err instanceof DecodeError) throw undecodable(kind, head, err, bytes);
    throw err;
  }
}

export const mediaTypeOf = (header: string | undefined): string => (header ?? "").split(";")[0]?.trim().toLowerCase() ?? "";

interface Head {
  readonly apiVersion?: string;
  readonly kind?: string;
}

function headOf(kind: AnyKind, bytes: Uint8Array): Head {
  try {
    return scanHead(bytes);
  } catch (err) {
    if (err instanceof DecodeError) throw undecodable(kind, {}, err, bytes);
    throw err;
  }
}

const strictError = (kind: AnyKind, warnings: readonly string[]) => cannotHandle({}, kind, `strict decoding error: ${warnings.join(", ")}`);

const cannotHandle = (head: Head, kind: AnyKind, why: string) =>
  badRequest(`${head.kind || kind.kind} in version ${JSON.stringify((head.apiVersion || kind.version).split("/").at(-1))} cannot be handled as a ${kind.kind}: ${why}`);

function undecodable(kind: AnyKind, head: Head, err: DecodeError, bytes: Uint8Array) {
  if (head.kind !== undefined) return cannotHandle(head, kind, err.message);
  return badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): ${err.message} (${summary(bytes)})`, { cause: err });
}

/** The start of a body that cannot be read: as text when it looks like an object, else as hexadecimal digits. */
function summary(bytes: Uint8Array): string {
  if (bytes.length === 0) return "<empty>";
  const longest = 30;
  const start = Buffer.from(bytes.subarray(0, longest));
  const more = bytes.length > longest ? " ..." : "";
  return `${bytes[0] === 0x7b ? start.toString("utf8") : start.toString("hex")}${more}`;
}
