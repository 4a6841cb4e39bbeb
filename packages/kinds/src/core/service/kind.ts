import { builtInKind } from "../../built-in/built-in-kind.js";
import { serviceColumns } from "./columns.js";
import { setServiceDefaults } from "./defaults.js";
import type { StoredService } from "./stored.js";
import { serviceStatusStrategy, serviceStrategy } from "./strategy.js";

export type { StoredService };

/** Addresses and node ports are allocated by the server; these are the parts that the object alone decides. */
export const serviceKind = builtInKind<StoredService>("", "v1", "services", {
  setDefaults: setServiceDefaults,
  strategy: serviceStrategy,
  views: { status: serviceStatusStrategy },
  columns: serviceColumns,
  selectableValues: ({ spec }) => ({ "spec.clusterIP": spec.clusterIP ?? "", "spec.type": spec.type ?? "" }),
  returnsDeletedObject: true,
});

export { checkClusterIps } from "./cluster-ips-validation.js";
