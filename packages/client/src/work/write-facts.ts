import type { WriteFacts } from "./attribute-write.js";

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
}

/** Of a write to a key of the store. `read`: the object; undefined where it cannot be read. */
export const writeFacts = (key: string, read: () => unknown): WriteFacts => ({
  // The last two parts of a key are namespace and name, or resource and name: no work item has the name of a resource in front.
  object: key.split("/").slice(-2).join("/"),
  owners() {
    const { namespace, name, ownerReferences = [] } = ((read() ?? {}) as Owned).metadata ?? {};
    const owner = ownerReferences.find(({ controller }) => controller === true);
    return [
      ...(namespace === undefined && name !== undefined ? [name] : []),
      ...(owner ? [owner.name, ...(namespace === undefined ? [] : [`${namespace}/${owner.name}`])] : []),
    ];
  },
});
