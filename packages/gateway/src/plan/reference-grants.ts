import { gatewayGroup, type ReferenceGrant } from "../objects/gateway-objects.js";

/** A reference from one namespace into another. */
export interface CrossReference {
  readonly from: { readonly kind: string; readonly namespace: string };
  readonly to: { readonly group: string; readonly kind: string; readonly namespace: string; readonly name: string };
}

/** Within a namespace everything may be referred to; across namespaces a ReferenceGrant of the target's namespace must name both ends. */
export function isGranted(grants: readonly ReferenceGrant[], { from, to }: CrossReference): boolean {
  if (from.namespace === to.namespace) return true;
  return grants.some(
    ({ metadata, spec }) =>
      metadata.namespace === to.namespace &&
      spec.from.some(
        (one) => one.group === gatewayGroup && one.kind === from.kind && one.namespace === from.namespace,
      ) &&
      spec.to.some((one) => one.group === to.group && one.kind === to.kind && (one.name ?? to.name) === to.name),
  );
}
