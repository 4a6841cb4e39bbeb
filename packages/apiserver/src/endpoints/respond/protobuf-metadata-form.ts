import { builtInTypes } from "@coxswain/api/tables";
import { encodeProtobuf, encodeProtobufObject, encodeWatchFrame } from "@coxswain/apimachinery/protobuf";
import type { AnyKind } from "@coxswain/kinds";
import { bytesOf } from "../../cache/cache-entry.js";
import { type Form, sharedFrame } from "../../request/form.js";
import { metadataBytes } from "./metadata-bytes.js";
import { createMetadataForm, type MetaVersion } from "./metadata-form.js";
import { protobufForm, protobufList, protobufStatus } from "./protobuf-form.js";
import { isList, isNoList, type MetadataShape, silentStream } from "./wrong-shape.js";

const kind = "PartialObjectMetadata";
const decoder = new TextDecoder();

/** Only the metadata of each object, in protobuf. */
export function createProtobufMetadataForm(apiVersion: MetaVersion, shape: MetadataShape): Form {
  const nodeOf = ({ types = builtInTypes }: AnyKind) => types.get(`io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`);
  const mark = `protobuf metadata ${apiVersion}`;
  const partial = (of: AnyKind, bytes: Uint8Array): unknown => ({
    kind,
    apiVersion,
    metadata: JSON.parse(decoder.decode(metadataBytes(of, bytes))) as unknown,
  });
  const bookmarkMeta = (revision: number, initial: boolean) => ({
    resourceVersion: String(revision),
    creationTimestamp: null,
    ...(initial ? { annotations: { "k8s.io/initial-events-end": "true" } } : {}),
  });
  // The older version of the list numbers its members the other way round.
  const fields =
    apiVersion === "meta.k8s.io/v1" ? { metadataField: 1, itemField: 2 } : { metadataField: 2, itemField: 1 };
  return {
    metadataOnly: true,
    plain: createMetadataForm(apiVersion, shape),
    contentType: protobufForm.contentType,
    streamType: protobufForm.streamType,
    object(of, bytes) {
      if (shape === "PartialObjectMetadataList") throw isNoList(of);
      return encodeProtobufObject(partial(of, bytes), nodeOf(of));
    },
    list(answer) {
      if (shape === "PartialObjectMetadata") throw isList(answer.kind);
      const node = nodeOf(answer.kind);
      return protobufList(answer, {
        type: { apiVersion, kind: `${kind}List` },
        ...fields,
        encode: (bytes) => encodeProtobuf(partial(answer.kind, bytes), node),
        mark,
      });
    },
    status: protobufStatus,
    stream(of) {
      if (shape === "PartialObjectMetadataList") return silentStream(protobufForm.stream(of));
      const node = nodeOf(of);
      return {
        shared: mark,
        event: (delivery) =>
          sharedFrame(delivery, mark, () =>
            encodeWatchFrame({
              type: delivery.type,
              object: encodeProtobufObject(partial(of, bytesOf(delivery.entry)), node),
            }),
          ),
        bookmark: (revision, initial) =>
          encodeWatchFrame({
            type: "BOOKMARK",
            object: encodeProtobufObject({ kind, apiVersion, metadata: bookmarkMeta(revision, initial) }, node),
          }),
        error: (status) => encodeWatchFrame({ type: "ERROR", object: protobufStatus(status) }),
      };
    },
  };
}
