import type { OwnerReference } from "@coxswain/apimachinery/meta";

interface Controlled {
  readonly metadata?: { readonly ownerReferences?: readonly Readonly<OwnerReference>[] };
}

/** The reference to the one controller of an object, if it has one. */
export const controllerRefOf = ({ metadata }: Controlled): Readonly<OwnerReference> | undefined =>
  metadata?.ownerReferences?.find(({ controller }) => controller === true);

/** Whether this very object, and not a namesake made later, is the controller. */
export const isControlledBy = (
  object: Controlled,
  owner: { readonly metadata?: { readonly uid?: string } },
): boolean => {
  const uid = controllerRefOf(object)?.uid;
  return uid !== undefined && uid === owner.metadata?.uid;
};
