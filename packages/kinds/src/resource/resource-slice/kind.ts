import type { Device } from "@coxswain/api/resource/v1";
import { ownEntries } from "@coxswain/apimachinery/own";
import { builtInKind } from "../../built-in/built-in-kind.js";
import { deviceGates } from "../disabled-fields.js";
import { resourceSliceColumns } from "./columns.js";
import type { StoredResourceSlice } from "./stored.js";
import { resourceSliceStrategy } from "./strategy.js";

export type { StoredResourceSlice };

export const resourceSliceKind = builtInKind<StoredResourceSlice>("resource.k8s.io", "v1", "resourceslices", {
  ownGates: deviceGates,
  typeDefaults: {
    "io.k8s.api.resource.v1.Device": ({ nodeAllocatableResourceMappings }: Device) => {
      for (const [, mapping] of ownEntries(nodeAllocatableResourceMappings)) mapping.allocationMultiplier ??= "1";
    },
  },
  strategy: resourceSliceStrategy,
  views: {},
  returnsDeletedObject: true,
  columns: resourceSliceColumns,
  selectableValues: ({ spec }) => ({ "spec.nodeName": spec.nodeName ?? "", "spec.driver": spec.driver }),
  unknownFieldText: (field) => `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${field}`,
  indexedField: "spec.nodeName",
});
