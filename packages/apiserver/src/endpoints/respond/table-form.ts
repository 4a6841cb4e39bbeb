import type { Clock } from "@coxswain/apimachinery/clock";
import { encodeJson, stringifyJson } from "@coxswain/apimachinery/json";
import type { AnyKind } from "@coxswain/kinds";
import { bytesOf } from "../../cache/cache-entry.js";
import { parseStored } from "../../objects/encoded-object.js";
import type { ByteSink, Form } from "./form.js";
import { bookmarkObject, listMeta } from "./json-form.js";
import { metadataBytes } from "./metadata-bytes.js";
import type { MetaVersion } from "./metadata-form.js";
import { rowOf, rowOfEntry } from "./table-row.js";
import { comma, concat, newline, statusText, utf8 } from "./text.js";

/** How much of each object a row carries. */
export type IncludeObject = "Object" | "Metadata" | "None";

export interface TableOptions {
  readonly apiVersion: MetaVersion;
  readonly include: IncludeObject;
}

/** Rows and columns, as kubectl prints them. */
export function createTableForm(clock: Clock, { apiVersion, include }: TableOptions): Form {
  const end = utf8("]}");
  const rowEnd = utf8("}");
  const partialHead = utf8(`{"kind":"PartialObjectMetadata","apiVersion":"${apiVersion}","metadata":`);

  function head(kind: AnyKind, metadata: object, shown: boolean): Uint8Array {
    const columns = shown ? JSON.stringify(kind.columns.columns) : "null";
    return utf8(`{"kind":"Table","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)},"columnDefinitions":${columns},"rows":[`);
  }

  function appendRow(into: ByteSink, row: string, bytes: Uint8Array, included = include): void {
    into.append(utf8(`{${row},"object":${included === "None" ? "null" : ""}`));
    if (included === "Object") into.append(bytes);
    if (included === "Metadata") {
      into.append(partialHead);
      into.append(metadataBytes(bytes));
      into.append(rowEnd);
    }
    into.append(rowEnd);
  }

  function single(kind: AnyKind, bytes: Uint8Array, headers: boolean, included = include): Uint8Array {
    const object = parseStored(bytes);
    const parts: Uint8Array[] = [head(kind, { resourceVersion: object.metadata.resourceVersion ?? "" }, headers)];
    appendRow({ append: (part) => void parts.push(part) }, rowOf(kind, object, clock.now()), bytes, included);
    return concat(...parts, end);
  }

  return {
    contentType: "application/json",
    streamType: "application/json",
    object: (kind, bytes) => concat(single(kind, bytes, true), newline),
    list(answer) {
      const now = clock.now();
      return {
        before: () => head(answer.kind, listMeta(answer), true),
        item: (entry, into) => appendRow(into, rowOfEntry(answer.kind, entry, now), bytesOf(entry)),
        separator: comma,
        after: utf8("]}\n"),
        sized: false,
        mark: undefined,
      };
    },
    status: statusText,
    stream(kind) {
      // Only the first event of a watch names the columns.
      let headers = true;
      const event = (type: string, bytes: Uint8Array, included = include): Uint8Array => {
        const text = concat(utf8(`{"type":"${type}","object":`), single(kind, bytes, headers, included), utf8("}\n"));
        headers = false;
        return text;
      };
      return {
        shared: undefined,
        event: (delivery) => event(delivery.type, bytesOf(delivery.entry)),
        // The mark that ends the initial events is in the metadata, so that is there even for who wants no objects.
        bookmark: (revision, initial) => event("BOOKMARK", encodeJson(bookmarkObject(kind, revision, initial), kind.schema), initial && include === "None" ? "Metadata" : include),
        error: (status) => utf8(`{"type":"ERROR","object":${stringifyJson(status)}}\n`),
      };
    },
  };
}
