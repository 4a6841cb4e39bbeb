import type { PersistentVolumeClaim } from "@coxswain/api/core/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";
import type { Lister } from "../cache/lister.js";
import type { AdmissionPlugin } from "./admission.js";
import { defaultClass } from "./default-class.js";

const marks = ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"];

/** A claim that names no storage class gets the default one. */
export const createDefaultStorageClass = (classes: Lister<KubernetesObject>): AdmissionPlugin => ({
  name: "DefaultStorageClass",
  operations: ["CREATE"],
  admit({ kind, subresource, object }) {
    if (kind.group !== "" || kind.kind !== "PersistentVolumeClaim" || subresource !== "") return;
    const claim = object as PersistentVolumeClaim & KubernetesObject;
    if (
      claim.spec?.storageClassName !== undefined ||
      getOwn(claim.metadata.annotations, "volume.beta.kubernetes.io/storage-class") !== undefined
    )
      return;
    const name = defaultClass(classes.list("/registry/storageclasses/"), marks)?.metadata.name;
    if (name !== undefined) (claim.spec ??= {}).storageClassName = name;
  },
});
