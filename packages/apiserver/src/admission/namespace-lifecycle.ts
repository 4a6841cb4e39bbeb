import { forbidden, notFound, StatusError } from "@coxswain/apimachinery/status";
import { resourceOf } from "../catalogue/resource-of.js";
import type { AdmissionAttributes, AdmissionPlugin } from "./admission.js";
import { forbid } from "./forbid.js";

/** What the plugin needs to know of a namespace. */
export type NamespacePhase = (name: string) => "Active" | "Terminating" | undefined;

/** Namespaces that the server itself needs. */
const immortal = new Set(["default", "kube-system", "kube-public"]);

const isNamespace = ({ kind }: AdmissionAttributes): boolean => kind.group === "" && kind.kind === "Namespace";

/** Whether somebody may do something in a namespace that is not there may be asked. */
const isAccessReview = ({ kind }: AdmissionAttributes): boolean =>
  kind.group === "authorization.k8s.io" && kind.kind === "LocalSubjectAccessReview";

/** Nothing is created in a namespace that is not there or is going; three namespaces never go. */
export function createNamespaceLifecycle(phaseOf: NamespacePhase): AdmissionPlugin {
  return {
    name: "NamespaceLifecycle",
    operations: ["CREATE", "UPDATE", "DELETE"],
    admit(attributes) {
      const { operation, kind, name, namespace } = attributes;
      if (isNamespace(attributes)) {
        if (operation === "DELETE" && immortal.has(name))
          throw forbidden(resourceOf(kind), name, "this namespace may not be deleted");
        return;
      }
      if (namespace === "" || operation === "DELETE" || isAccessReview(attributes)) return;
      const phase = phaseOf(namespace);
      if (phase === undefined) throw notFound({ group: "", resource: "namespaces" }, namespace);
      if (operation === "CREATE" && phase === "Terminating") throw terminating(attributes);
    },
  };
}

function terminating(attributes: AdmissionAttributes): StatusError {
  const { namespace } = attributes;
  const { status } = forbid(
    attributes,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  return new StatusError({
    code: status.code,
    reason: "Forbidden",
    message: status.message ?? "",
    details: {
      ...status.details,
      causes: [
        {
          reason: "NamespaceTerminating",
          message: `namespace ${namespace} is being terminated`,
          field: "metadata.namespace",
        },
      ],
    },
  });
}
