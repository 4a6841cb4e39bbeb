import type { DeepReadonly } from "@coxswain/api";
import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { labelsText, none } from "../../printing/labels.js";
import { loadBalancerText } from "../../printing/load-balancer.js";
import type { StoredService } from "./stored.js";

export const serviceColumns: ColumnSet<StoredService> = {
  columns: [
    nameColumn,
    column("Type", "string", "How it is reached."),
    column("Cluster-IP", "string", "Its address inside the cluster."),
    column("External-IP", "string", "Its addresses outside."),
    column("Port(s)", "string", "Its ports, with those on the nodes."),
    ageColumn,
    column("Selector", "string", "Which pods it sends traffic to.", 1),
  ],
  cells: (service, now) => [
    service.metadata.name ?? "",
    service.spec.type ?? "",
    service.spec.clusterIPs?.[0] ?? none,
    externalIp(service),
    ports(service) || none,
    age(service.metadata.creationTimestamp, now),
    labelsText(service.spec.selector),
  ],
};

function externalIp({ spec, status }: DeepReadonly<StoredService>): string {
  const external = spec.externalIPs ?? [];
  switch (spec.type) {
    case "ClusterIP":
    case "NodePort":
      return external.join(",") || none;
    case "LoadBalancer": {
      const balanced = loadBalancerText(status.loadBalancer);
      return [...(balanced === "" ? [] : balanced.split(",")), ...external].join(",") || "<pending>";
    }
    case "ExternalName":
      return spec.externalName ?? "";
    default:
      return "<unknown>";
  }
}

const ports = ({ spec }: DeepReadonly<StoredService>): string =>
  (spec.ports ?? [])
    .map(({ port, nodePort = 0, protocol = "" }) =>
      nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
    )
    .join(",");
