/** Names of API groups, versions, kinds and resources. The group of the core API is the empty string. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

export interface GroupVersionResource extends GroupVersion {
  readonly resource: string;
}

/** `apps/v1` or `v1`; undefined for more than one slash. The empty text and "/" are the empty group and version. */
export function parseGroupVersion(apiVersion: string): GroupVersion | undefined {
  if (apiVersion === "" || apiVersion === "/") return { group: "", version: "" };
  const slash = apiVersion.indexOf("/");
  if (slash < 0) return { group: "", version: apiVersion };
  if (apiVersion.indexOf("/", slash + 1) >= 0) return undefined;
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** Upstream's error for a text that `parseGroupVersion` refuses. */
export const groupVersionError = (apiVersion: string): string => `unexpected GroupVersion string: ${apiVersion}`;

/** `apps/v1`, or `v1` for the core group: the `apiVersion` of an object. */
export const formatGroupVersion = ({ group, version }: GroupVersion): string =>
  group === "" ? version : `${group}/${version}`;

/** `deployments.apps`, or `pods` for the core group. */
export const formatGroupResource = ({ group, resource }: GroupResource): string =>
  group === "" ? resource : `${resource}.${group}`;

/** `Deployment.apps`, or `Pod` for the core group. */
export const formatGroupKind = ({ group, kind }: GroupKind): string => (group === "" ? kind : `${kind}.${group}`);

/** As upstream prints it in messages (k8s.io/apimachinery/pkg/runtime/schema/group_version.go, String): `apps/v1, Kind=Deployment`; the core group leaves `/v1, Kind=Pod`. */
export const formatGroupVersionKind = ({ group, version, kind }: GroupVersionKind): string =>
  `${group}/${version}, Kind=${kind}`;

/** As upstream prints it in messages (k8s.io/apimachinery/pkg/runtime/schema/group_version.go, String): `apps/v1, Resource=deployments`. */
export const formatGroupVersionResource = ({ group, version, resource }: GroupVersionResource): string =>
  `${group}/${version}, Resource=${resource}`;

/** `deployments.apps` or `pods`: all behind the first dot is the group. */
export function parseGroupResource(text: string): GroupResource {
  const dot = text.indexOf(".");
  return dot < 0 ? { group: "", resource: text } : { group: text.slice(dot + 1), resource: text.slice(0, dot) };
}

export function parseGroupKind(text: string): GroupKind {
  const dot = text.indexOf(".");
  return dot < 0 ? { group: "", kind: text } : { group: text.slice(dot + 1), kind: text.slice(0, dot) };
}

/** A user's `deployments.apps` or `deployments.v1.apps`. With two dots or more it may mean either: both are returned. */
export function parseResourceArg(text: string): { withVersion?: GroupVersionResource; resource: GroupResource } {
  const [resource, version, ...group] = text.split(".");
  const answer = { resource: parseGroupResource(text) };
  if (resource === undefined || version === undefined || group.length === 0) return answer;
  return { ...answer, withVersion: { group: group.join("."), version, resource } };
}

/** A user's `Deployment.apps` or `Deployment.v1.apps`; see `parseResourceArg`. */
export function parseKindArg(text: string): { withVersion?: GroupVersionKind; kind: GroupKind } {
  const { withVersion } = parseResourceArg(text);
  const kind = parseGroupKind(text);
  if (withVersion === undefined) return { kind };
  return { kind, withVersion: { group: withVersion.group, version: withVersion.version, kind: withVersion.resource } };
}
