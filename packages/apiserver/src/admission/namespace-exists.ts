import { notFound } from "@coxswain/apimachinery/status";
import type { AdmissionPlugin } from "./admission.js";
import type { NamespacePhase } from "./namespace-lifecycle.js";

/** Nothing is written in a namespace that is not there. */
export const createNamespaceExists = (phaseOf: NamespacePhase): AdmissionPlugin => ({
  name: "NamespaceExists",
  operations: ["CREATE", "UPDATE", "DELETE"],
  validate({ kind, namespace }) {
    if (namespace === "" || (kind.group === "" && kind.kind === "Namespace")) return;
    if (phaseOf(namespace) === undefined) throw notFound({ group: "", resource: "namespaces" }, namespace);
  },
});
