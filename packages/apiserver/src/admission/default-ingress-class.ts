import type { Ingress } from "@coxswain/api/networking/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";
import type { Lister } from "../cache/lister.js";
import type { AdmissionPlugin } from "./admission.js";
import { defaultClass } from "./default-class.js";

/** An ingress that names no class, in the field or the older annotation, gets the default one. */
export const createDefaultIngressClass = (classes: Lister<KubernetesObject>): AdmissionPlugin => ({
  name: "DefaultIngressClass",
  operations: ["CREATE"],
  admit({ kind, subresource, object }) {
    if (kind.group !== "networking.k8s.io" || kind.kind !== "Ingress" || subresource !== "") return;
    const ingress = object as Ingress & KubernetesObject;
    if (
      ingress.spec?.ingressClassName !== undefined ||
      getOwn(ingress.metadata.annotations, "kubernetes.io/ingress.class") !== undefined
    )
      return;
    const name = defaultClass(classes.list("/registry/ingressclasses/"), [
      "ingressclass.kubernetes.io/is-default-class",
    ])?.metadata.name;
    if (name !== undefined) (ingress.spec ??= {}).ingressClassName = name;
  },
});
