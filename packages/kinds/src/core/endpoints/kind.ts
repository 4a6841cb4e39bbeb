import type { Endpoints } from "@coxswain/api/core/v1";
import { builtInKind } from "../../built-in-kind.js";
import type { Stored } from "../../stored.js";
import { endpointsColumns } from "./columns.js";
import { endpointsStrategy } from "./strategy.js";

export type StoredEndpoints = Stored<Endpoints>;

export const endpointsKind = builtInKind<StoredEndpoints>("", "v1", "endpoints", {
  setDefaults({ subsets }) {
    for (const { ports } of subsets ?? []) for (const port of ports ?? []) port.protocol ||= "TCP";
  },
  strategy: endpointsStrategy,
  views: {},
  columns: endpointsColumns,
});
