import { decodeJson, scanHead, walk } from "@coxswain/apimachinery/json";
import { formatGroupVersion, type KubernetesObject } from "@coxswain/apimachinery/meta";
import { decodeProtobufObject, isProtobuf, readEnvelope } from "@coxswain/apimachinery/protobuf";
import { createNode, type SchemaNode, typeCodes } from "@coxswain/apimachinery/schema";
import type { AnyKind } from "@coxswain/kinds";
import { formOf, isVersionKind } from "../catalogue/version-kind.js";
import { definitionV1beta1 } from "./definition-v1beta1.js";
import { encodeStored } from "./encode-stored.js";

const encoder = new TextEncoder();
const closingBrace = 0x7d;
const anything = createNode(typeCodes.json);

/** Distinguishes values that this server has written from others, without reading them: by their first members and their last byte. */
export function createOwnForm(kind: AnyKind): (value: Uint8Array) => boolean {
  const head = encoder.encode(
    `{"kind":${JSON.stringify(kind.kind)},"apiVersion":${JSON.stringify(formatGroupVersion(kind))},`,
  );
  return (value) => {
    if (value.length <= head.length || value[value.length - 1] !== closingBrace) return false;
    for (let at = 0; at < head.length; at += 1) if (value[at] !== head[at]) return false;
    return true;
  };
}

/**
 * What another server wrote, as this one would have: kube-apiserver keeps built-in objects as protobuf and others as JSON of
 * its own making, and an older one in versions that are no longer the hub's.
 * @throws Error where the kind has no such version, or the bytes are damaged
 */
export function decodeProtobufValue(kind: AnyKind, value: Uint8Array): Uint8Array {
  const { apiVersion, kind: sent } = isProtobuf(value) ? readEnvelope(value) : headOf(value);
  const read = (schema: SchemaNode) =>
    (isProtobuf(value)
      ? walk(decodeProtobufObject(value, schema), schema)
      : decodeJson(value, schema).object) as KubernetesObject;
  return encodeStored(kind, toHub(kind, { apiVersion, kind: sent }, read)).value;
}

/** @throws Error in upstream's words where the bytes are no object (`serializer/json/meta.go`, `Interpret`) */
function headOf(value: Uint8Array): { readonly apiVersion: string; readonly kind: string } {
  const head = scanHead(value);
  if (head.kind !== "") return head;
  try {
    decodeJson(value, anything);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`couldn't get version/kind; json parse error: ${why}`, { cause });
  }
  throw new Error("Object 'Kind' is missing");
}

function toHub(
  kind: AnyKind,
  sent: { readonly apiVersion: string; readonly kind: string },
  read: (schema: SchemaNode) => KubernetesObject,
): KubernetesObject {
  if (
    sent.kind === definitionV1beta1.kind &&
    sent.apiVersion === definitionV1beta1.apiVersion &&
    kind.kind === sent.kind
  )
    return walk(definitionV1beta1.toHub(read(definitionV1beta1.schema)), kind.schema) as KubernetesObject;
  const form = sent.kind === kind.kind ? formOf(kind, sent.apiVersion) : undefined;
  if (!form) throw new Error(`${sent.apiVersion} ${sent.kind} is no version of ${kind.kind} that this server can read`);
  return isVersionKind(form) ? form.toHub(read(form.schema)) : read(form.schema);
}
