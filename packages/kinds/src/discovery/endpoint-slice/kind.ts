import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import { builtInKind } from "../../built-in-kind.js";
import type { Stored } from "../../stored.js";
import { endpointSliceColumns } from "./columns.js";
import { setEndpointSliceDefaults } from "./defaults.js";
import { endpointSliceStrategy } from "./strategy.js";

export type StoredEndpointSlice = Stored<EndpointSlice>;

export const endpointSliceKind = builtInKind<StoredEndpointSlice>("discovery.k8s.io", "v1", "endpointslices", {
  setDefaults: setEndpointSliceDefaults,
  strategy: endpointSliceStrategy,
  views: {},
  columns: endpointSliceColumns,
});
