import type { Clock } from "@coxswain/apimachinery/clock";
import type { AnyKind } from "@coxswain/kinds";
import { bytesOf } from "../../cache/cache-entry.js";
import { encodedObject } from "../../objects/encoded-object.js";
import type { Form } from "./form.js";
import { bookmarkObject, listMetadata } from "./json-form.js";
import { encodeJson } from "@coxswain/apimachinery/json";
import { metadataBytes } from "./metadata-bytes.js";
import { concat, utf8 } from "./text.js";

export type TableVersion = "meta.k8s.io/v1" | "meta.k8s.io/v1beta1";
/** How much of each object a row carries. */
export type IncludeObject = "Object" | "Metadata" | "None";

export interface TableOptions {
  readonly apiVersion: TableVersion;
  readonly include: IncludeObject;
}

/** Rows and columns, as kubectl prints them. */
export function createTableForm(clock: Clock, options: TableOptions): Form {
  const { apiVersion, include } = options;
  const columns = (kind: AnyKind, shown: boolean): string => (shown ? JSON.stringify(kind.columns.columns) : "null");
  const head = (kind: AnyKind, metadata: string, shown: boolean): Uint8Array =>
    utf8(`{"kind":"Table","apiVersion":"${apiVersion}","metadata":${metadata},"columnDefinitions":${columns(kind, shown)},"rows":[`);
  const end = utf8("]}");

  function row(kind: AnyKind, bytes: Uint8Array): Uint8Array {
    const object = encodedObject(bytes).parse();
    const conditions = kind.columns.conditions?.(object) ?? [];
    const shown = conditions.length === 0 ? "" : `,"conditions":${JSON.stringify(conditions)}`;
    return concat(utf8(`{"cells":${JSON.stringify(kind.columns.cells(object, clock.now()))}${shown},"object":`), included(bytes), utf8("}"));
  }

  function included(bytes: Uint8Array): Uint8Array {
    if (include === "Object") return bytes;
    if (include === "None") return utf8("null");
    return concat(utf8(`{"kind":"PartialObjectMetadata","apiVersion":"${apiVersion}","metadata":`), metadataBytes(bytes), utf8("}"));
  }

  const single = (kind: AnyKind, bytes: Uint8Array, headers: boolean): Uint8Array => {
    const revision = (encodedObject(bytes).parse() as { metadata: { resourceVersion?: string } }).metadata.resourceVersion ?? "";
    return concat(head(kind, JSON.stringify({ resourceVersion: revision }), headers), row(kind, bytes), end);
  };

  return {
    contentType: "application/json",
    streamType: "application/json",
    object: (kind, bytes) => concat(single(kind, bytes, true), utf8("\n")),
    list: (answer) => ({
      before: head(answer.kind, listMetadata(answer), true),
      item(entry, first, into) {
        if (!first) into.append(utf8(","));
        into.append(row(answer.kind, bytesOf(entry)));
      },
      after: utf8("]}\n"),
    }),
    status: (status) => utf8(`${JSON.stringify(status)}\n`),
    stream(kind) {
      // Only the first event of a watch names the columns.
      let headers = true;
      const event = (type: string, bytes: Uint8Array): Uint8Array => {
        const text = concat(utf8(`{"type":"${type}","object":`), single(kind, bytes, headers), utf8("}\n"));
        headers = false;
        return text;
      };
      return {
        shared: undefined,
        event: (delivery) => event(delivery.type, bytesOf(delivery.entry)),
        bookmark: (revision, initial) => event("BOOKMARK", encodeJson(bookmarkObject(kind, revision, initial), kind.schema)),
        error: (status) => utf8(`{"type":"ERROR","object":${JSON.stringify(status)}}\n`),
      };
    },
  };
}
