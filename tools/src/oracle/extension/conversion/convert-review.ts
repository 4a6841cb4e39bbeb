import type { Json, JsonObject } from "../../../record/index.js";

/** What a webhook server answers, before it is written. `undefined`: the connection is cut. */
export type ReviewAnswer = { readonly status: number; readonly body: string } | undefined;

/** An annotation of an object by which it asks for one of `misbehaviours`: "v2:other-name" concerns conversions to v2. */
export const misbehaviourAnnotation = "convert";

type Review = JsonObject & { request: { uid: string; desiredAPIVersion: string; objects: JsonObject[] } };

/** Ways in which a conversion webhook may answer wrongly, or oddly but rightly. */
export const misbehaviours: Readonly<Record<string, (right: Review & { response: JsonObject }) => ReviewAnswer>> = {
  "other-uid": (right) => answer(right, { uid: "other" }),
  "no-uid": (right) => answer(right, { uid: "" }),
  failed: (right) => answer(right, { result: { status: "Failure", message: "it cannot be converted" } }),
  "failed-without-message": (right) => answer(right, { result: { status: "Failure" } }),
  "failed-without-result": (right) => answer(right, { result: {} }),
  "odd-result": (right) => answer(right, { result: { status: "Maybe", message: "hm" } }),
  "too-few": (right) => answer(right, { convertedObjects: [] }),
  none: (right) => answer(right, { convertedObjects: null }),
  "too-many": (right) => changed(right, (objects) => [...objects, ...objects]),
  "same-version": (right) => answer(right, { convertedObjects: right.request.objects }),
  "no-version": (right) => changedEach(right, without("apiVersion")),
  "other-kind": (right) => changedEach(right, (object) => ({ ...object, kind: "Other" })),
  "other-name": (right) => changedMeta(right, (metadata) => ({ ...metadata, name: "other" })),
  "other-namespace": (right) => changedMeta(right, (metadata) => ({ ...metadata, namespace: "other" })),
  "other-object-uid": (right) => changedMeta(right, (metadata) => ({ ...metadata, uid: "other" })),
  "other-labels": (right) => changedMeta(right, (metadata) => ({ ...metadata, labels: { changed: "yes" } })),
  "other-finalizers": (right) => changedMeta(right, (metadata) => ({ ...metadata, finalizers: ["example.com/x"] })),
  "other-generation": (right) => changedMeta(right, (metadata) => ({ ...metadata, generation: 99 })),
  "other-resource-version": (right) => changedMeta(right, (metadata) => ({ ...metadata, resourceVersion: "1" })),
  "no-managed-fields": (right) => changedMeta(right, without("managedFields")),
  "odd-labels": (right) => changedMeta(right, (metadata) => ({ ...metadata, labels: { a: 5 } })),
  "odd-annotations": (right) => changedMeta(right, (metadata) => ({ ...metadata, annotations: "text" })),
  "bad-label-key": (right) => changedMeta(right, (metadata) => ({ ...metadata, labels: { "bad key!": "x" } })),
  "no-metadata": (right) => changedEach(right, without("metadata")),
  "odd-metadata": (right) => changedEach(right, (object) => ({ ...object, metadata: "text" })),
  "unknown-members": (right) => changedEach(right, (object) => ({ ...object, unknown: { a: 1 } })),
  "wrong-types": (right) => changedEach(right, (object) => ({ ...object, spec: "text" })),
  "null-spec": (right) => changedEach(right, (object) => ({ ...object, spec: null })),
  "other-review-version": (right) => whole({ ...right, apiVersion: "apiextensions.k8s.io/v9" }),
  "other-review-kind": (right) => whole({ ...right, kind: "AdmissionReview" }),
  "no-response": ({ apiVersion, kind }) => whole({ apiVersion: apiVersion as Json, kind: kind as Json }),
  "not-json": () => ({ status: 200, body: "<html>" }),
  empty: () => ({ status: 200, body: "" }),
  "status-500": () => ({ status: 500, body: "out of order" }),
  "status-404": () => ({ status: 404, body: "not here" }),
  "status-400-status": () =>
    whole({ kind: "Status", apiVersion: "v1", status: "Failure", message: "no", code: 400 }, 400),
  cut: () => undefined,
};

/** The answer to a ConversionReview: right, unless an object of it asks for something else. */
export function convertReview(text: string): ReviewAnswer {
  const review = JSON.parse(text) as Review;
  const { uid, desiredAPIVersion, objects } = review.request;
  const response = {
    uid,
    result: { status: "Success" },
    convertedObjects: objects.map((object) => convertBoat(object, desiredAPIVersion)),
  };
  const right = { ...review, response };
  const wanted = desiredAPIVersion.split("/")[1];
  const asked = objects
    .map((object) =>
      String(((object["metadata"] as JsonObject | undefined)?.["annotations"] as JsonObject)?.["convert"]),
    )
    .find((one) => one.startsWith(`${wanted}:`));
  const misbehave = asked === undefined ? undefined : misbehaviours[asked.slice(asked.indexOf(":") + 1)];
  return misbehave ? misbehave(right) : whole(right);
}

const without =
  (name: string) =>
  (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).filter(([member]) => member !== name));
const whole = (review: JsonObject, status = 200): ReviewAnswer => ({ status, body: JSON.stringify(review) });
const answer = (right: Review & { response: JsonObject }, change: JsonObject): ReviewAnswer =>
  whole({ ...right, response: { ...right.response, ...change } });
const changed = (
  right: Review & { response: JsonObject },
  change: (objects: JsonObject[]) => JsonObject[],
): ReviewAnswer => answer(right, { convertedObjects: change(right.response["convertedObjects"] as JsonObject[]) });
const changedEach = (right: Review & { response: JsonObject }, change: (object: JsonObject) => JsonObject) =>
  changed(right, (objects) => objects.map(change));
const changedMeta = (right: Review & { response: JsonObject }, change: (metadata: JsonObject) => JsonObject) =>
  changedEach(right, (object) => ({ ...object, metadata: change(object["metadata"] as JsonObject) }));

/** v1 and v3 have `host` and `port`, v2 one `address` of both. Other members stay. */
export function convertBoat(object: JsonObject, desired: string): JsonObject {
  const { spec, ...rest } = object;
  const converted = { ...rest, apiVersion: desired };
  if (typeof spec !== "object" || spec === null || Array.isArray(spec))
    return spec === undefined ? converted : { ...converted, spec };
  const { host, port, address, ...members } = spec as JsonObject;
  if (desired.endsWith("/v2")) {
    if (host === undefined && port === undefined && address !== undefined)
      return { ...converted, spec: { ...members, address } };
    return host === undefined
      ? { ...converted, spec: { ...members, ...(port !== undefined && { port }) } }
      : { ...converted, spec: { ...members, address: `${String(host)}:${String(port ?? 0)}` } };
  }
  if (typeof address !== "string")
    return {
      ...converted,
      spec: { ...members, ...(host !== undefined && { host }), ...(port !== undefined && { port }) },
    };
  const [name = "", number = "0"] = address.split(":");
  return { ...converted, spec: { ...members, host: name, port: Number(number) || 0 } };
}
