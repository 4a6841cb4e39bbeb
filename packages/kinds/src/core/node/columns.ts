import type { DeepReadonly } from "@coxswain/api";
import { ownEntries } from "@coxswain/apimachinery/own";
import { compareUtf8 } from "@coxswain/apimachinery/validation";
import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { none } from "../../printing/labels.js";
import type { StoredNode } from "./stored.js";

const unknown = "<unknown>";

export const nodeColumns: ColumnSet<StoredNode> = {
  columns: [
    nameColumn,
    column("Status", "string", "Whether the node is ready, and takes pods."),
    column("Roles", "string", "What the node is for."),
    ageColumn,
    column("Version", "string", "The version of its kubelet."),
    column("Internal-IP", "string", "Its address inside the cluster.", 1),
    column("External-IP", "string", "Its address outside.", 1),
    column("OS-Image", "string", "Its operating system.", 1),
    column("Kernel-Version", "string", "Its kernel.", 1),
    column("Container-Runtime", "string", "What runs its containers.", 1),
  ],
  cells(node, now) {
    const { metadata, status } = node;
    const info = status.nodeInfo;
    const kernel = info?.kernelVersion || unknown;
    return [
      metadata.name ?? "",
      statusText(node),
      roles(node).join(",") || none,
      age(metadata.creationTimestamp, now),
      info?.kubeletVersion ?? "",
      address(node, "InternalIP"),
      address(node, "ExternalIP"),
      info?.osImage || unknown,
      info?.architecture ? `${kernel} (${info.architecture})` : kernel,
      info?.containerRuntimeVersion || unknown,
    ];
  },
};

function statusText({ spec, status }: DeepReadonly<StoredNode>): string {
  const ready = status.conditions?.findLast(({ type }) => type === "Ready");
  const text = ready ? (ready.status === "True" ? "Ready" : "NotReady") : "Unknown";
  return spec.unschedulable ? `${text},SchedulingDisabled` : text;
}

const rolePrefix = "node-role.kubernetes.io/";

function roles({ metadata }: DeepReadonly<StoredNode>): string[] {
  const found = new Set<string>();
  for (const [key, value] of ownEntries(metadata.labels)) {
    const role = key.startsWith(rolePrefix) ? key.slice(rolePrefix.length) : key === "kubernetes.io/role" ? value : "";
    if (role !== "") found.add(role);
  }
  return [...found].sort(compareUtf8);
}

const address = ({ status }: DeepReadonly<StoredNode>, type: string): string =>
  status.addresses?.find((one) => one.type === type)?.address ?? none;
