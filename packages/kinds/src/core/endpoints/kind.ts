import { builtInKind } from "../../built-in/built-in-kind.js";
import { endpointsColumns } from "./columns.js";
import type { StoredEndpoints } from "./stored.js";
import { endpointsStrategy } from "./strategy.js";

export type { StoredEndpoints };

export const endpointsKind = builtInKind<StoredEndpoints>("", "v1", "endpoints", {
  setDefaults({ subsets }) {
    for (const { ports } of subsets ?? []) for (const port of ports ?? []) port.protocol ||= "TCP";
  },
  strategy: endpointsStrategy,
  views: {},
  columns: endpointsColumns,
});
