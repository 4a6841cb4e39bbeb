import { builtInTypes } from "@coxswain/api/tables";
import { walk } from "@coxswain/apimachinery/json";
import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import { watchContentType } from "@coxswain/apimachinery/negotiation";
import { encodeProtobuf, encodeProtobufObject, encodeWatchFrame } from "@coxswain/apimachinery/protobuf";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import { type Status, StatusError } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import { bytesOf } from "../../cache/cache-entry.js";
import { parseStored } from "../../cache/encoded-object.js";
import type { ListAnswer } from "../../request/answer.js";
import { type Form, type ListText, sharedFrame } from "../../request/form.js";
import { bookmarkObject, jsonForm, listMeta } from "./json-form.js";
import { envelopeAround, field, varint } from "./protobuf-envelope.js";
import { concat } from "./text.js";
import { isWithoutProtobuf } from "./without-protobuf.js";

const contentType = "application/vnd.kubernetes.protobuf";
const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";

/** Kubernetes protobuf: objects in their envelopes. Stored bytes are JSON, so each object is parsed; lists and events keep what they made. */
export const protobufForm: Form = {
  plain: jsonForm,
  contentType,
  streamType: watchContentType(contentType),
  object: (kind, bytes) => encodeProtobufObject(parseStored(bytes), protobufSchema(kind)),
  list: (answer) =>
    protobufList(answer, {
      type: { apiVersion: formatGroupVersion(answer.kind), kind: answer.kind.listKind },
      metadataField: 1,
      itemField: 2,
      encode: (bytes) => encodeProtobuf(parseStored(bytes), protobufSchema(answer.kind)),
      mark: "protobuf",
    }),
  status: protobufStatus,
  stream: (kind) => ({
    shared: "protobuf",
    event: (delivery) =>
      sharedFrame(delivery, "protobuf", () =>
        encodeWatchFrame({
          type: delivery.type,
          object: encodeProtobufObject(parseStored(bytesOf(delivery.entry)), protobufSchema(kind)),
        }),
      ),
    bookmark: (revision, initial) =>
      encodeWatchFrame({
        type: "BOOKMARK",
        object: encodeProtobufObject(bookmarkObject(kind, revision, initial), kind.schema),
      }),
    error: (status) => encodeWatchFrame({ type: "ERROR", object: protobufStatus(status) }),
  }),
};

export function protobufStatus(status: Status): Uint8Array {
  const node = builtInTypes.get(`${meta}.Status`);
  return encodeProtobufObject(walk(status, node), node);
}

export interface ProtobufListOptions {
  readonly type: { readonly apiVersion: string; readonly kind: string };
  /** The numbers of both members in the list's message. */
  readonly metadataField: number;
  readonly itemField: number;
  /** The message of one item, from its stored bytes. */
  encode(bytes: Uint8Array): Uint8Array;
  readonly mark: string;
}

const nothing = new Uint8Array(0);

/** A list whose members are its metadata and its items, the one with the smaller number first. */
export function protobufList(
  answer: ListAnswer,
  { type, metadataField, itemField, encode, mark }: ProtobufListOptions,
): ListText {
  const node = builtInTypes.get(`${meta}.ListMeta`);
  const metadata = field(metadataField, encodeProtobuf(walk(listMeta(answer), node), node));
  const metadataFirst = metadataField < itemField;
  const { after } = envelopeAround(0, type);
  const tag = Uint8Array.of((itemField << 3) | 2);
  return {
    before: (length) =>
      concat(envelopeAround(metadata.length + length, type).before, metadataFirst ? metadata : nothing),
    item(entry, into) {
      const message = encode(bytesOf(entry));
      into.append(tag);
      into.append(varint(message.length));
      into.append(message);
    },
    separator: nothing,
    after: metadataFirst ? after : concat(metadata, after),
    sized: true,
    mark,
  };
}

/** Custom resources have no protobuf form. */
function protobufSchema(kind: AnyKind): SchemaNode {
  if (!isWithoutProtobuf(kind)) return kind.schema;
  throw new StatusError({
    code: 406,
    reason: "NotAcceptable",
    message:
      "object *unstructured.Unstructured does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message",
  });
}
