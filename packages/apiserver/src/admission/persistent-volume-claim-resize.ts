import type { PersistentVolumeClaim } from "@coxswain/api/core/v1";
import type { StorageClass } from "@coxswain/api/storage/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";
import { parseQuantity, type Quantity } from "@coxswain/apimachinery/quantity";
import type { Lister } from "../cache/lister.js";
import type { AdmissionPlugin } from "./admission.js";
import { forbid } from "./forbid.js";

type Claim = PersistentVolumeClaim & KubernetesObject;

/** A claim grows only when it is bound, and only if its storage class allows expansion. */
export function createPersistentVolumeClaimResize(classes: Lister<StorageClass>): AdmissionPlugin {
  const mayGrow = (claim: Claim, old: Claim): boolean => {
    const name = classOf(claim);
    return (
      name !== "" &&
      name === classOf(old) &&
      classes.get(`/registry/storageclasses/${name}`)?.allowVolumeExpansion === true
    );
  };
  return {
    name: "PersistentVolumeClaimResize",
    operations: ["UPDATE"],
    validate(attributes) {
      const { kind, subresource } = attributes;
      if (kind.group !== "" || kind.resource !== "persistentvolumeclaims" || subresource !== "") return;
      const [claim, old] = [attributes.object as Claim, attributes.old as Claim];
      if (sizeOf(claim).compare(sizeOf(old)) <= 0) return;
      if (old.status?.phase !== "Bound")
        throw forbid(attributes, "Only bound persistent volume claims can be expanded");
      if (!mayGrow(claim, old))
        throw forbid(
          attributes,
          "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
        );
    },
  };
}

const sizeOf = ({ spec }: Claim): Quantity => parseQuantity(getOwn(spec?.resources?.requests, "storage") ?? "0");
const classOf = ({ metadata, spec }: Claim): string =>
  getOwn(metadata.annotations, "volume.beta.kubernetes.io/storage-class") ?? spec?.storageClassName ?? "";
