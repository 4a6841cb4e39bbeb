import { resources } from "../gen/resources.js";
import type { ResourceInfo } from "./resource-info.js";

let byName: Map<string, ResourceInfo> | undefined;

/** `findResource("apps", "v1", "deployments")`; the core group is "". */
export function findResource(group: string, version: string, resource: string): ResourceInfo | undefined {
  byName ??= new Map(resources.map((info) => [`${info.group}/${info.version}/${info.resource}`, info]));
  return byName.get(`${group}/${version}/${resource}`);
}
