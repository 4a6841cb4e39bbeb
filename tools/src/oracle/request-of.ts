import type { Json, JsonObject } from "../record/index.js";
import type { OracleCase, Way } from "./case.js";
import { applyChange, jsonPatchOf, mergePatchOf, textOf } from "./change.js";
import { completeObject, pathOf, type Subject } from "./subject.js";

export interface CaseRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const methods: Record<Way, string> = {
  create: "POST",
  put: "PUT",
  "merge-patch": "PATCH",
  "strategic-patch": "PATCH",
  "json-patch": "PATCH",
  get: "GET",
  list: "GET",
  delete: "DELETE",
};
const contentTypes: Partial<Record<Way, string>> = {
  create: "application/json",
  put: "application/json",
  "merge-patch": "application/merge-patch+json",
  "strategic-patch": "application/strategic-merge-patch+json",
  "json-patch": "application/json-patch+json",
};

/** What stands behind a case when it is asked. */
export interface Stored {
  readonly object?: JsonObject;
  readonly scale?: JsonObject;
}

/** The request of a case. What is put is what the server itself gave, with the change in it. */
export function requestOf(subject: Subject, asked: OracleCase, stored: Stored): CaseRequest {
  const { base, way, subresource, query, table, change } = asked;
  const example = completeObject(subject, base, subject.objects[base] ?? {});
  const name = (example["metadata"] as JsonObject)["name"] as string;
  const path = pathOf(
    subject,
    base,
    (way === "create" && subresource === undefined) || way === "list" ? undefined : name,
    subresource,
  );
  const contentType = contentTypes[way];
  const body = bodyOf(example, asked, stored);
  return {
    method: methods[way],
    path: query === "" ? path : `${path}?${query}`,
    headers: {
      accept: table === true ? "application/json;as=Table;g=meta.k8s.io;v=v1" : "application/json",
      "user-agent": "coxswain-oracle/1",
      ...(contentType !== undefined && { "content-type": contentType }),
    },
    ...(body !== undefined && {
      body:
        way === "put" || way === "create"
          ? textOf(change === undefined ? body : applyChange(body, change))
          : JSON.stringify(body),
    }),
  };
}

/** For a create and a put the body before the change, for a patch the patch. */
function bodyOf(
  example: JsonObject,
  { way, subresource, change, body }: OracleCase,
  { object, scale }: Stored,
): Json | undefined {
  const current = (subresource === "scale" ? scale : object) ?? example;
  switch (way) {
    case "create":
      return body ?? example;
    case "put":
      return change === undefined && subresource === "status"
        ? { ...current, status: example["status"] ?? {} }
        : current;
    case "merge-patch":
    case "strategic-patch":
      return change === undefined ? {} : mergePatchOf(current, change);
    case "json-patch":
      return change === undefined ? [] : jsonPatchOf(current, change);
    default:
      return undefined;
  }
}
