import { encodeJson, stringifyJson } from "@coxswain/apimachinery/json";
import type { AnyKind } from "@coxswain/kinds";
import type { Clock } from "@coxswain/runtime/clock";
import { bytesOf } from "../../cache/cache-entry.js";
import { parseStored } from "../../cache/encoded-object.js";
import type { ByteSink, Form } from "../../request/form.js";
import { ByteBuffer } from "./byte-buffer.js";
import { bookmarkObject, listMeta } from "./json-form.js";
import { withoutManagedFields } from "./managed-fields-cut.js";
import { appendMetadata, metadataBytes } from "./metadata-bytes.js";
import type { MetaVersion } from "./metadata-form.js";
import { createRows, rowOf } from "./table-row.js";
import { comma, concat, newline, statusText, utf8 } from "./text.js";

/** How much of each object a row carries. */
export type IncludeObject = "Object" | "Metadata" | "None";

export interface TableOptions {
  readonly apiVersion: MetaVersion;
  readonly include: IncludeObject;
  /** Metadata without managed fields. @default false */
  readonly drops?: boolean;
}

const keep = (bytes: Uint8Array, drops: boolean): Uint8Array => (drops ? withoutManagedFields(bytes) : bytes);

const begin = utf8("[");
const end = utf8("]}");

/** `object` and `metadata` write the object or its metadata, whichever is wanted. */
type AppendRow = (
  into: ByteSink,
  row: string,
  included: IncludeObject,
  write: { object(): void; metadata(): void },
) => void;

function rowWriter(apiVersion: MetaVersion): AppendRow {
  const partialHead = `{"kind":"PartialObjectMetadata","apiVersion":"${apiVersion}","metadata":`;
  return (into, row, included, write) => {
    into.appendText(`{${row},"object":${included === "None" ? "null" : included === "Metadata" ? partialHead : ""}`);
    if (included === "Object") write.object();
    if (included === "Metadata") write.metadata();
    into.appendText(included === "Metadata" ? "}}" : "}");
  };
}

/** Rows and columns, as kubectl prints them. */
export function createTableForm(clock: Clock, { apiVersion, include, drops = false }: TableOptions): Form {
  const head = (kind: AnyKind, metadata: object, shown: boolean): Uint8Array =>
    utf8(
      `{"kind":"Table","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)},"columnDefinitions":${shown ? JSON.stringify(kind.columns.columns) : "null"},"rows":`,
    );
  const appendRow = rowWriter(apiVersion);

  function single(kind: AnyKind, bytes: Uint8Array, headers: boolean, included = include): Uint8Array {
    const object = parseStored(bytes);
    const buffer = new ByteBuffer(bytes.length + 1024);
    buffer.append(
      head(kind, object.metadata.resourceVersion ? { resourceVersion: object.metadata.resourceVersion } : {}, headers),
    );
    buffer.append(begin);
    appendRow(buffer, rowOf(kind, object, clock.now()), included, {
      object: () => buffer.append(keep(bytes, drops)),
      metadata: () => buffer.append(keep(metadataBytes(kind, bytes), drops)),
    });
    buffer.append(end);
    return buffer.take();
  }

  return {
    metadataOnly: include !== "Object",
    contentType: "application/json",
    streamType: "application/json",
    object: (kind, bytes) => concat(single(kind, bytes, true), newline),
    list(answer) {
      const rowOfEntry = createRows(answer.kind, clock.now());
      const isNull = answer.entries.length === 0 && answer.kind.columns.nullWhenEmpty === true;
      return {
        before: () => concat(head(answer.kind, listMeta(answer), true), isNull ? utf8("null") : begin),
        item: (entry, into) =>
          appendRow(into, rowOfEntry(entry), include, {
            object: () => into.append(keep(bytesOf(entry), drops)),
            metadata: () => appendMetadata(answer.kind, entry, into, drops),
          }),
        separator: comma,
        after: utf8(isNull ? "}\n" : "]}\n"),
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
        bookmark: (revision, initial) =>
          event(
            "BOOKMARK",
            encodeJson(bookmarkObject(kind, revision, initial), kind.schema),
            initial && include === "None" ? "Metadata" : include,
          ),
        error: (status) => utf8(`{"type":"ERROR","object":${stringifyJson(status)}}\n`),
      };
    },
  };
}
