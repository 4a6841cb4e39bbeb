interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Groups whose internal Go package is not called like the first part of their name. */
const packages: Readonly<Record<string, string>> = {
  "": "core",
  "internal.apiserver.k8s.io": "apiserverinternal",
  "events.k8s.io": "core",
};

/** How Go prints the type of a kind that is in its internal form: `core.ConfigMap`. Upstream's messages name it. */
export const internalTypeName = ({ group }: Pick<GroupVersion, "group">, kind: string): string =>
  `${packages[group] ?? group.split(".")[0] ?? ""}.${kind}`;

/** The same of a version: `v1.ConfigMap`. */
export const versionedTypeName = ({ version }: Pick<GroupVersion, "version">, kind: string): string =>
  `${version}.${kind}`;
