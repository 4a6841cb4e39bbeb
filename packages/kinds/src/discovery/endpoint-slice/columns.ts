import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { shortened } from "../../printing/shortened.js";
import type { StoredEndpointSlice } from "./stored.js";

const unset = "<unset>";
const shown = 3;

export const endpointSliceColumns: ColumnSet<StoredEndpointSlice> = {
  columns: [
    nameColumn,
    column("AddressType", "string", "What kind of addresses it holds."),
    column("Ports", "string", "Its ports, the first few."),
    column("Endpoints", "string", "Its addresses, the first few."),
    ageColumn,
  ],
  cells: ({ metadata, addressType, ports, endpoints }, now) => [
    metadata.name ?? "",
    addressType,
    shortened(
      (ports ?? []).map(({ port, name }) => (port === undefined ? (name ?? "*") : String(port))),
      shown,
    ) || unset,
    shortened(
      (endpoints ?? []).flatMap(({ addresses }) => addresses ?? []),
      shown,
    ) || unset,
    age(metadata.creationTimestamp, now),
  ],
};
