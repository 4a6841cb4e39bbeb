import { builtInTypes } from "@coxswain/api/tables";
import {
  type Decoded,
  type DecodeOptions,
  decodeJson,
  decodeParsed,
  type ParsedJson,
  parseJson,
  scanHead,
} from "@coxswain/apimachinery/json";
import type { MediaTypeName } from "@coxswain/apimachinery/negotiation";
import { decodeProtobufObject, readEnvelope } from "@coxswain/apimachinery/protobuf";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import type { Soon } from "../../runtime/soon.js";
import { keepEmptiedManagedFields } from "./emptied-managed-fields.js";

/** A body of which only the head has been looked at. Whatever is wrong with it is a DecodeError. */
export interface SentBody {
  /** As the body says it; "" where it does not. A malformed text may pass here: `checkHead` finds it. */
  readonly apiVersion: string;
  readonly kind: string;
  /** As it was sent. */
  readonly bytes: Uint8Array;
  /** Throws when not even the head can be read. */
  checkHead(): void;
  decode(node: SchemaNode, options: DecodeOptions): Decoded;
}

/** Throws or rejects with a DecodeError where the form does not fit the bytes at all. */
export function openBody(form: MediaTypeName, bytes: Uint8Array): Soon<SentBody> {
  switch (form) {
    case "application/json":
      return jsonBody(bytes);
    case "application/yaml":
      return import("./yaml-body.js").then(({ yamlBody }) => yamlBody(bytes));
    case "application/vnd.kubernetes.protobuf":
      return protobufBody(bytes);
  }
}

export function jsonBody(bytes: Uint8Array): SentBody {
  let parsed = parseJson(bytes);
  const { apiVersion, kind } = headOf(parsed, bytes);
  return {
    apiVersion,
    kind,
    bytes,
    checkHead: () => void decodeJson(bytes, builtInTypes.get("io.k8s.apimachinery.pkg.apis.meta.v1.TypeMeta")),
    decode(node, options) {
      const decoded = decodeParsed(parsed ?? parseJson(bytes), bytes, node, options);
      parsed = undefined; // it is part of the object now
      keepEmptiedManagedFields(decoded.object);
      return decoded;
    },
  };
}

function headOf(parsed: ParsedJson | undefined, bytes: Uint8Array): { apiVersion: string; kind: string } {
  if (!parsed) return scanHead(bytes);
  const { apiVersion, kind } = (parsed.value ?? {}) as { readonly apiVersion?: unknown; readonly kind?: unknown };
  return { apiVersion: typeof apiVersion === "string" ? apiVersion : "", kind: typeof kind === "string" ? kind : "" };
}

function protobufBody(bytes: Uint8Array): SentBody {
  const envelope = readEnvelope(bytes);
  return {
    apiVersion: envelope.apiVersion,
    kind: envelope.kind,
    bytes,
    checkHead: () => {},
    // Fields that a message has and the type does not are skipped, and cannot occur twice: there is nothing to be strict about.
    decode: (node) => ({ object: decodeProtobufObject(bytes, node, envelope), warnings: [] }),
  };
}
