import type { Json, JsonObject } from "../../record/index.js";
import { applyChange, type Change } from "../change.js";
import type { Ask } from "./story.js";
import type { Stage } from "./value-cases.js";

const table = "application/json;as=Table;g=meta.k8s.io;v=v1";
const partial = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const validations = ["", "&fieldValidation=Strict", "&fieldValidation=Warn", "&fieldValidation=Ignore"];

const unknown: readonly Change[] = [
  { path: ["bogus"], value: 1, about: "unknown" },
  { path: ["spec", "bogus"], value: { a: 1 }, about: "unknown" },
  { path: ["status", "bogus"], value: "x", about: "unknown" },
  { path: ["metadata", "bogus"], value: "x", about: "unknown" },
  { path: ["spec", "color"], value: "blue", twice: true, about: "unknown" },
  { path: ["metadata", "labels"], value: { a: "b" }, twice: true, about: "unknown" },
];

/** Members that nobody knows or that are written twice, under each form of field validation. */
export function unknownCases({ defined, object }: Stage): Ask[] {
  return unknown.flatMap((change, at) =>
    validations.flatMap((validation): Ask[] => {
      const what = `${change.path.join(".")}${change.twice === true ? " twice" : ""}${validation.replace("&fieldValidation=", " ")}`;
      const version = defined.versions[at % defined.versions.length] ?? "v1";
      const before =
        change.twice === true
          ? applyChange(object("new", version), { ...change, twice: false })
          : object("new", version);
      const patch = applyChange({}, { ...change, twice: false });
      return [
        {
          sentence: `create ${version} with unknown ${what}`,
          method: "POST",
          path: `${defined.collection(version)}?dryRun=All${validation}`,
          body: applyChange(before, change),
        },
        {
          sentence: `put unknown ${what}`,
          method: "PUT",
          path: `${defined.collection()}/full?dryRun=All${validation}`,
          body: (kept) => applyChange(kept.get("full") ?? {}, change),
        },
        {
          sentence: `merge-patch unknown ${what}`,
          method: "PATCH",
          type: "application/merge-patch+json",
          path: `${defined.collection()}/full?dryRun=All${validation}`,
          body: patch,
        },
        {
          sentence: `apply unknown ${what}`,
          method: "PATCH",
          type: "application/apply-patch+yaml",
          path: `${defined.collection()}/full?dryRun=All&fieldManager=other&force=true${validation}`,
          body: { ...(patch as JsonObject), apiVersion: `${defined.group}/v1`, kind: defined.kind },
        },
      ];
    }),
  );
}

const metadata: readonly Change[] = [
  { path: ["metadata", "name"], value: "Not Valid", about: "value" },
  { path: ["metadata", "name"], value: "forbidden", about: "value" },
  { path: ["metadata", "name"], value: "a".repeat(31), about: "value" },
  { path: ["metadata", "name"], about: "gone" },
  { path: ["metadata", "name"], value: 5, about: "type" },
  { path: ["metadata", "namespace"], value: "elsewhere", about: "value" },
  { path: ["metadata", "generateName"], value: "made-", about: "value" },
  { path: ["metadata", "labels"], value: { "bad key!": "x" }, about: "value" },
  { path: ["metadata", "labels"], value: { a: 5 }, about: "type" },
  { path: ["metadata", "annotations"], value: { a: null }, about: "type" },
  { path: ["metadata", "finalizers"], value: ["no-slash", "example.com/yes", "bad value/!"], about: "value" },
  { path: ["metadata", "ownerReferences"], value: [{ apiVersion: "v1", kind: "Pod", name: "p" }], about: "value" },
  { path: ["metadata", "uid"], value: "given", about: "value" },
  { path: ["metadata", "resourceVersion"], value: "12345678", about: "value" },
  { path: ["metadata", "generation"], value: 7, about: "value" },
  { path: ["metadata", "deletionTimestamp"], value: "2026-01-01T00:00:00Z", about: "value" },
  { path: ["metadata", "creationTimestamp"], value: "yesterday", about: "value" },
  { path: ["metadata", "managedFields"], value: [{ manager: "x", operation: "Bogus" }], about: "value" },
  { path: ["metadata"], value: "text", about: "type" },
  { path: ["metadata"], about: "gone" },
  { path: ["kind"], value: "Other", about: "value" },
  { path: ["kind"], about: "gone" },
  { path: ["apiVersion"], value: "v1", about: "value" },
  { path: ["apiVersion"], about: "gone" },
  { path: ["spec"], about: "gone" },
  { path: ["spec"], value: null, about: "type" },
  { path: ["spec"], value: [], about: "type" },
  { path: ["spec", "depth"], value: 1000, about: "value" },
  { path: ["spec", "replicas"], value: -1, about: "value" },
  { path: ["status"], value: { ready: "x" }, about: "value" },
];

/** The metadata and the frame of an object, as created and as put. */
export function metadataCases({ defined, object }: Stage): Ask[] {
  return metadata.flatMap((change, at): Ask[] => {
    const what = `${change.path.join(".")} ${change.value === undefined ? "is gone" : `is ${JSON.stringify(change.value)}`}`;
    return [
      {
        sentence: `create: ${what}`,
        method: "POST",
        path: `${defined.collection()}?dryRun=All`,
        body: applyChange(object("new"), change),
        ...(at % 3 === 0 && { accept: table }),
      },
      {
        sentence: `put: ${what}`,
        method: "PUT",
        path: `${defined.collection()}/full?dryRun=All`,
        body: (kept) => applyChange(kept.get("full") ?? {}, change),
      },
    ];
  });
}

/** Reads in every version and form, selectors, the scale, and requests that no custom resource answers. */
export function readCases({ defined }: Stage): Ask[] {
  const { collection, versions } = defined;
  const get = (sentence: string, path: string, more: Partial<Ask> = {}): Ask => ({
    sentence,
    method: "GET",
    path,
    ...more,
  });
  return [
    ...versions.flatMap((version) => [
      get(`get in ${version}`, `${collection(version)}/full`),
      get(`get in ${version} as a table`, `${collection(version)}/full`, { accept: table }),
      get(`get bare in ${version}`, `${collection(version)}/bare`),
      get(`list in ${version}`, collection(version)),
      get(`list in ${version} as a table`, `${collection(version)}?includeObject=Object`, { accept: table }),
      get(`scale in ${version}`, `${collection(version)}/full/scale`),
    ]),
    get("get metadata", `${collection()}/full`, { accept: partial }),
    get("get as protobuf", `${collection()}/full`, { accept: "application/vnd.kubernetes.protobuf" }),
    get("get what is not there", `${collection()}/missing`),
    get("get status", `${collection()}/full/status`),
    get("get an unknown subresource", `${collection()}/full/bogus`),
    ...[
      "spec.color=red",
      "spec.color!=red",
      "spec.depth=3",
      "metadata.name=full",
      "spec.bogus=1",
      "status.ready=true",
    ].map((selector) => get(`list by ${selector}`, `${collection()}?fieldSelector=${encodeURIComponent(selector)}`)),
    get("list by label", `${collection()}?labelSelector=app%3Dfull`),
    get("list one", `${collection()}?limit=1`),
    ...scaleCases(collection()),
    {
      sentence: "strategic patch",
      method: "PATCH",
      type: "application/strategic-merge-patch+json",
      path: `${collection()}/full?dryRun=All`,
      body: { spec: { color: "x" } },
    },
    {
      sentence: "create protobuf",
      method: "POST",
      type: "application/vnd.kubernetes.protobuf",
      path: collection(),
      body: {},
    },
    { sentence: "delete in a dry run", method: "DELETE", path: `${collection()}/full?dryRun=All` },
    {
      sentence: "delete with another uid",
      method: "DELETE",
      path: `${collection()}/full`,
      body: { preconditions: { uid: "other" } },
    },
  ];
}

function scaleCases(collection: string): Ask[] {
  const scale =
    (spec: Json): NonNullable<Ask["body"]> =>
    (kept) => ({ ...kept.get("scale"), spec });
  return [
    ...[0, 7, -1, 3_000_000_000, "x", null].flatMap((replicas): Ask[] => [
      {
        sentence: `put scale ${String(replicas)}`,
        method: "PUT",
        path: `${collection}/full/scale?dryRun=All`,
        body: scale({ replicas }),
      },
      {
        sentence: `patch scale ${String(replicas)}`,
        method: "PATCH",
        type: "application/merge-patch+json",
        path: `${collection}/full/scale?dryRun=All`,
        body: { spec: { replicas } },
      },
      {
        sentence: `patch scale of bare ${String(replicas)}`,
        method: "PATCH",
        type: "application/merge-patch+json",
        path: `${collection}/bare/scale?dryRun=All`,
        body: { spec: { replicas } },
      },
    ]),
    {
      sentence: "apply scale",
      method: "PATCH",
      type: "application/apply-patch+yaml",
      path: `${collection}/full/scale?dryRun=All&fieldManager=scaler&force=true`,
      body: { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "full" }, spec: { replicas: 9 } },
    },
  ];
}
