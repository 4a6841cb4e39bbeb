import { groups } from "../gen/groups.js";
import { resources } from "../gen/resources.js";
import type { GroupInfo } from "./group-info.js";
import type { ResourceInfo } from "./resource-info.js";

/** Every resource of Kubernetes 1.36 in every version it can serve, sorted by group, version and name. */
export const builtInResources: readonly ResourceInfo[] = resources;
/** Every API group that it can serve, in discovery's order. */
export const builtInGroups: readonly GroupInfo[] = groups;

export { findResource } from "./find-resource.js";
export type { GroupInfo, VersionInfo } from "./group-info.js";
export type { KindName, Lifecycle, ResourceInfo, StorageInfo, SubresourceInfo } from "./resource-info.js";
