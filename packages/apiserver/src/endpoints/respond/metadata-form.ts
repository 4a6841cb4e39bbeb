import type { Form } from "./form.js";
import { sharedFrame } from "./form.js";
import { bytesOf } from "../../cache/cache-entry.js";
import { listMetadata } from "./json-form.js";
import { metadataBytes } from "./metadata-bytes.js";
import { concat, utf8 } from "./text.js";

const comma = utf8(",");

/** Only kind, apiVersion and metadata of each object, cut out of the stored bytes. */
export function createMetadataForm(apiVersion: "meta.k8s.io/v1" | "meta.k8s.io/v1beta1"): Form {
  const before = utf8(`{"kind":"PartialObjectMetadata","apiVersion":"${apiVersion}","metadata":`);
  const after = utf8("}");
  const partial = (bytes: Uint8Array): Uint8Array => {
    return concat(before, metadataBytes(bytes), after);
  };
  const mark = `metadata ${apiVersion}`;
  return {
    contentType: "application/json",
    streamType: "application/json",
    object: (_kind, bytes) => concat(partial(bytes), utf8("\n")),
    list: (answer) => ({
      before: utf8(`{"kind":"PartialObjectMetadataList","apiVersion":"${apiVersion}","metadata":${listMetadata(answer)},"items":[`),
      item(entry, first, into) {
        if (!first) into.append(comma);
        into.append(partial(bytesOf(entry)));
      },
      after: utf8("]}\n"),
    }),
    status: (status) => utf8(`${JSON.stringify(status)}\n`),
    stream: () => ({
      shared: mark,
      event: (delivery) => sharedFrame(delivery, mark, () => concat(utf8(`{"type":"${delivery.type}","object":`), partial(bytesOf(delivery.entry)), utf8("}\n"))),
      bookmark(revision, initial) {
        const annotations = initial ? ',"annotations":{"k8s.io/initial-events-end":"true"}' : "";
        return utf8(`{"type":"BOOKMARK","object":{"kind":"PartialObjectMetadata","apiVersion":"${apiVersion}","metadata":{"resourceVersion":"${revision}"${annotations}}}}\n`);
      },
      error: (status) => utf8(`{"type":"ERROR","object":${JSON.stringify(status)}}\n`),
    }),
  };
}
