import { stringifyJson } from "@coxswain/apimachinery/json";
import type { AnyKind } from "@coxswain/kinds";
import { bytesOf } from "../../cache/cache-entry.js";
import type { Form } from "../../request/form.js";
import { sharedFrame } from "../../request/form.js";
import { jsonForm, listMeta } from "./json-form.js";
import { appendMetadata, metadataBytes } from "./metadata-bytes.js";
import { comma, concat, newline, statusText, utf8 } from "./text.js";
import { isList, isNoList, type MetadataShape, silentStream } from "./wrong-shape.js";

export type MetaVersion = "meta.k8s.io/v1" | "meta.k8s.io/v1beta1";

/** Only kind, apiVersion and metadata of each object, cut out of the stored bytes. */
export function createMetadataForm(apiVersion: MetaVersion, shape: MetadataShape): Form {
  const before = utf8(`{"kind":"PartialObjectMetadata","apiVersion":"${apiVersion}","metadata":`);
  const after = utf8("}");
  const partial = (kind: AnyKind, bytes: Uint8Array): Uint8Array => concat(before, metadataBytes(kind, bytes), after);
  const mark = `metadata ${apiVersion}`;
  return {
    metadataOnly: true,
    contentType: "application/json",
    streamType: "application/json",
    object(kind, bytes) {
      if (shape === "PartialObjectMetadataList") throw isNoList(kind);
      return concat(partial(kind, bytes), newline);
    },
    list(answer) {
      if (shape === "PartialObjectMetadata") throw isList(answer.kind);
      // Upstream gathers the items in a Go slice that nothing has made yet.
      const isEmpty = answer.entries.length === 0;
      return {
        before: () =>
          utf8(
            `{"kind":"PartialObjectMetadataList","apiVersion":"${apiVersion}","metadata":${JSON.stringify(listMeta(answer))},"items":${isEmpty ? "null" : "["}`,
          ),
        item(entry, into) {
          into.append(before);
          appendMetadata(answer.kind, entry, into);
          into.append(after);
        },
        separator: comma,
        after: utf8(isEmpty ? "}\n" : "]}\n"),
        sized: false,
        mark,
      };
    },
    status: statusText,
    stream(kind) {
      if (shape === "PartialObjectMetadataList") return silentStream(jsonForm.stream(kind));
      return {
        shared: mark,
        event: (delivery) =>
          sharedFrame(delivery, mark, () =>
            concat(utf8(`{"type":"${delivery.type}","object":`), partial(kind, bytesOf(delivery.entry)), utf8("}\n")),
          ),
        bookmark(revision, initial) {
          const annotations = initial ? ',"annotations":{"k8s.io/initial-events-end":"true"}' : "";
          return utf8(
            `{"type":"BOOKMARK","object":{"kind":"PartialObjectMetadata","apiVersion":"${apiVersion}","metadata":{"resourceVersion":"${revision}"${annotations}}}}\n`,
          );
        },
        error: (status) => utf8(`{"type":"ERROR","object":${stringifyJson(status)}}\n`),
      };
    },
  };
}
