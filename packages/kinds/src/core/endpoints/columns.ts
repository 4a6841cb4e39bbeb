import type { DeepReadonly } from "@coxswain/api";
import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { none } from "../../printing/labels.js";
import { shortened } from "../../printing/shortened.js";
import type { StoredEndpoints } from "./stored.js";

export const endpointsColumns: ColumnSet<StoredEndpoints> = {
  columns: [nameColumn, column("Endpoints", "string", "Addresses and ports, the first few."), ageColumn],
  cells: (endpoints, now) => [
    endpoints.metadata.name ?? "",
    addresses(endpoints),
    age(endpoints.metadata.creationTimestamp, now),
  ],
};

function addresses({ subsets = [] }: DeepReadonly<StoredEndpoints>): string {
  if (subsets.length === 0) return none;
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port }) => addresses.map(({ ip }) => `${ip.includes(":") ? `[${ip}]` : ip}:${port}`)),
  );
  return shortened(all, 3);
}
