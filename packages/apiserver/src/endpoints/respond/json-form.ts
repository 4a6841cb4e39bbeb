import { encodeJson, stringifyJson, walk } from "@coxswain/apimachinery/json";
import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import { bytesOf } from "../../cache/cache-entry.js";
import type { ListAnswer } from "../../request/answer.js";
import type { EventForm, Form, ListText } from "../../request/form.js";
import { sharedFrame } from "../../request/form.js";
import { comma, concat, newline, statusText, utf8 } from "./text.js";

const openBrace = utf8("{");
const eventEnd = utf8("}\n");
const listEnd = utf8("]}\n");

/** Stored bytes as they are: nothing is parsed. */
export const jsonForm: Form = {
  contentType: "application/json",
  streamType: "application/json",
  object: (_kind, bytes) => concat(bytes, newline),
  list,
  status: statusText,
  stream: jsonStream,
};

/** What stands before the metadata of every object of a kind. Items of a typed list leave it out, those of custom resources do not. */
export const headOf = (kind: AnyKind): string => `{"kind":"${kind.kind}","apiVersion":"${formatGroupVersion(kind)}",`;

/** Metadata of a list as a value: members that are not there are left out. */
export function listMeta({ resourceVersion, continueToken, remainingItemCount }: ListAnswer): {
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
} {
  const meta: ReturnType<typeof listMeta> = {};
  if (resourceVersion !== "") meta.resourceVersion = resourceVersion;
  if (continueToken !== undefined) meta.continue = continueToken;
  if (remainingItemCount !== undefined) meta.remainingItemCount = remainingItemCount;
  return meta;
}

function list(answer: ListAnswer): ListText {
  const { kind } = answer;
  const { custom } = kind.facts;
  const skip = headOf(kind).length;
  // Go keeps a list of custom resources as a map, in which a token that is empty is written too.
  const metadata = custom ? { continue: "", ...listMeta(answer) } : listMeta(answer);
  return {
    before: () =>
      utf8(
        `{"kind":"${kind.listKind}","apiVersion":"${formatGroupVersion(kind)}","metadata":${JSON.stringify(metadata)},"items":[`,
      ),
    item(entry, into) {
      if (!custom) into.append(openBrace);
      into.append(entry.slab.bytes, entry.offset + (custom ? 0 : skip), entry.offset + entry.length);
    },
    separator: comma,
    after: listEnd,
    sized: false,
    mark: "json",
  };
}

function jsonStream(kind: AnyKind): EventForm {
  return {
    shared: "json",
    event: (delivery) =>
      sharedFrame(delivery, "json", () =>
        concat(utf8(`{"type":"${delivery.type}","object":`), bytesOf(delivery.entry), eventEnd),
      ),
    bookmark: (revision, initial) =>
      concat(
        utf8('{"type":"BOOKMARK","object":'),
        encodeJson(bookmarkObject(kind, revision, initial), kind.schema),
        eventEnd,
      ),
    error: (status) => utf8(`{"type":"ERROR","object":${stringifyJson(status)}}\n`),
  };
}

/** An empty object of the kind that carries nothing but a revision. */
export function bookmarkObject(kind: AnyKind, revision: number, initial: boolean): unknown {
  const annotations = initial ? { annotations: { "k8s.io/initial-events-end": "true" } } : {};
  return walk(
    {
      kind: kind.kind,
      apiVersion: formatGroupVersion(kind),
      metadata: { resourceVersion: String(revision), ...annotations },
    },
    kind.schema,
  );
}
