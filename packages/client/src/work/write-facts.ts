import type { WriteFacts } from "./attribute-write.js";
import { parseClaim } from "./claim-cause.js";

const accounts = "system:serviceaccount:kube-system:";

/** The name of a component of the system, as its work is traced; undefined: somebody else. */
export function writerOf(user: string | undefined): string | undefined {
  if (!user?.startsWith("system:")) return undefined;
  return user.slice(user.startsWith(accounts) ? accounts.length : "system:".length);
}

interface Owned {
  readonly metadata?: {
    readonly namespace?: string;
    readonly name?: string;
    readonly ownerReferences?: readonly { readonly name: string; readonly controller?: boolean }[];
  };
  /** Of a PersistentVolume. */
  readonly spec?: { readonly claimRef?: { readonly namespace?: string; readonly name?: string } };
}

/** Of a write to a key of the store. `read`: the object; undefined where it cannot be read. `cause`: what its client claimed. */
export const writeFacts = (key: string, read: () => unknown, cause?: string): WriteFacts => ({
  claim: cause === undefined ? undefined : parseClaim(cause),
  // The last two parts of a key are namespace and name, or resource and name: no work item has the name of a resource in front.
  object: key.split("/").slice(-2).join("/"),
  owners() {
    const { metadata = {}, spec } = (read() ?? {}) as Owned;
    const { namespace, name, ownerReferences = [] } = metadata;
    const owner = ownerReferences.find(({ controller }) => controller === true);
    return [
      ...(namespace === undefined && name !== undefined ? [name] : []),
      ...(spec?.claimRef ? [`${spec.claimRef.namespace}/${spec.claimRef.name}`] : []),
      ...(owner ? [owner.name, ...(namespace === undefined ? [] : [`${namespace}/${owner.name}`])] : []),
    ];
  },
});
