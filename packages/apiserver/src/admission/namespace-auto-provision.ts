import type { AdmissionPlugin } from "./admission.js";
import type { NamespacePhase } from "./namespace-lifecycle.js";

/** A namespace that something is made in is made before it. */
export const createNamespaceAutoProvision = (
  phaseOf: NamespacePhase,
  make: (namespace: string) => Promise<void>,
): AdmissionPlugin => ({
  name: "NamespaceAutoProvision",
  operations: ["CREATE"],
  async admit({ kind, namespace, dryRun }) {
    if (dryRun || namespace === "" || (kind.group === "" && kind.kind === "Namespace")) return;
    if (phaseOf(namespace) === undefined) await make(namespace);
  },
});
