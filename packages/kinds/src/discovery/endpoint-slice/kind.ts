import { builtInKind } from "../../built-in/built-in-kind.js";
import { endpointSliceColumns } from "./columns.js";
import { setEndpointSliceDefaults } from "./defaults.js";
import type { StoredEndpointSlice } from "./stored.js";
import { endpointSliceStrategy } from "./strategy.js";

export type { StoredEndpointSlice };

export const endpointSliceKind = builtInKind<StoredEndpointSlice>("discovery.k8s.io", "v1", "endpointslices", {
  setDefaults: setEndpointSliceDefaults,
  strategy: endpointSliceStrategy,
  views: {},
  columns: endpointSliceColumns,
});
