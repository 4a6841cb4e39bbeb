// Managed fields and server-side apply beside JSON.parse of the same pod, in one run.
// node packages/apimachinery/bench/managed-fields.mjs   (after `npx tsc -b packages/api`)
import { builtInTypes } from "../../api/dist/tables/index.js";
import { applyServerSide, excludeFields, setOf, updateManagedFields } from "../dist/managed-fields/index.js";
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch } from "../dist/patch/index.js";
import { measureAll, report } from "./measure.mjs";
import { pod } from "./pod.mjs";

const budgets = { apply: 35, update: 7 };
const node = builtInTypes.get("io.k8s.api.core.v1.Pod");
const text = JSON.stringify(pod);
const { managedFields, ...metadata } = pod.metadata;
const live = JSON.parse(JSON.stringify({ ...pod, metadata }));
const scheduler = {
  manager: "kube-scheduler",
  operation: "Update",
  apiVersion: "v1",
  time: "2026-03-04T10:11:13Z",
  fieldsType: "FieldsV1",
  fieldsV1: {
    "f:status": {
      "f:conditions": {
        ".": {},
        'k:{"type":"PodScheduled"}': {
          ".": {},
          "f:lastProbeTime": {},
          "f:lastTransitionTime": {},
          "f:status": {},
          "f:type": {},
        },
      },
    },
  },
  subresource: "status",
};
const entriesText = JSON.stringify([managedFields[0], scheduler, managedFields[1]]);
const time = "2026-03-04T10:12:00Z";
const request = { live, node, apiVersion: "v1", time };
const main = { v1: excludeFields(setOf(["f:status"])) };
const status = { v1: excludeFields(setOf(["f:spec"])) };

const statusPatch = {
  status: {
    "$setElementOrder/conditions": live.status.conditions.map(({ type }) => ({ type })),
    conditions: [
      { type: "Ready", status: "False", reason: "ContainersNotReady", lastTransitionTime: "2026-03-04T10:12:00Z" },
    ],
  },
};
const afterStatus = applyStrategicMergePatch(live, statusPatch, node);
const applied = JSON.parse(
  JSON.stringify({
    kind: "Pod",
    apiVersion: "v1",
    metadata: { name: metadata.name, namespace: "default", labels: metadata.labels, annotations: metadata.annotations },
    spec: live.spec,
  }),
);
const changed = JSON.parse(JSON.stringify(applied));
changed.spec.containers[0].image = "example.com/web:1.29.5";
delete changed.spec.containers[0].env;
// An applier that applied all of it before.
const firstEntries = JSON.stringify(
  applyServerSide({
    ...request,
    applied,
    kind: "Pod",
    manager: "applier",
    force: true,
    entries: JSON.parse(entriesText),
    filters: main,
  }).entries,
);

// Entries are parsed anew for every write: what is known of them is forgotten with them.
const results = measureAll({
  "JSON.parse": () => JSON.parse(text),
  "JSON.parse of the entries": () => JSON.parse(entriesText),
  "status patch, three managers": () =>
    updateManagedFields({
      ...request,
      next: afterStatus,
      manager: "kubelet",
      subresource: "status",
      entries: JSON.parse(entriesText),
      filters: status,
    }),
  "no change, three managers": () =>
    updateManagedFields({
      ...request,
      next: live,
      manager: "kubelet",
      subresource: "status",
      entries: JSON.parse(entriesText),
      filters: status,
    }),
  create: () =>
    updateManagedFields({ ...request, live: undefined, next: live, manager: "kubectl", entries: [], filters: main }),
  "JSON.parse of the applier's entries": () => JSON.parse(firstEntries),
  "apply, nothing changed": () =>
    applyServerSide({
      ...request,
      applied,
      kind: "Pod",
      manager: "applier",
      entries: JSON.parse(firstEntries),
      filters: main,
    }),
  "apply, a field changed and one removed": () =>
    applyServerSide({
      ...request,
      applied: changed,
      kind: "Pod",
      manager: "applier",
      force: true,
      entries: JSON.parse(firstEntries),
      filters: main,
    }),
  "apply, a new applier": () =>
    applyServerSide({
      ...request,
      applied,
      kind: "Pod",
      manager: "applier",
      force: true,
      entries: JSON.parse(entriesText),
      filters: main,
    }),
  "strategic merge patch of status": () => applyStrategicMergePatch(live, statusPatch, node),
  "JSON merge patch of a label": () => applyMergePatch(live, { metadata: { labels: { a: "b" } } }),
  "JSON patch of a label": () => applyJsonPatch(live, [{ op: "add", path: "/metadata/labels/a", value: "b" }]),
});
const unit = results["JSON.parse"];
console.log(`a pod of ${text.length} bytes; the unit is one JSON.parse`);
report(results, unit);
const update = (results["status patch, three managers"] - results["JSON.parse of the entries"]) / unit;
const apply =
  (results["apply, a field changed and one removed"] - results["JSON.parse of the applier's entries"]) / unit;
console.log(
  `managed fields of a status patch: ${update.toFixed(1)} × (budget ${budgets.update}); server-side apply: ${apply.toFixed(1)} × (budget ${budgets.apply})`,
);
process.exitCode = update > budgets.update || apply > budgets.apply ? 1 : 0;
