import type { DeepReadonly } from "@coxswain/api";
import type { APIService } from "@coxswain/api/apiregistration/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { ServiceReference } from "../webhook/service-resolver.js";

/** An APIService as the cache has it. */
export type ApiService = DeepReadonly<APIService & KubernetesObject>;

export interface GroupVersion {
  /** "" for the core group. */
  readonly group: string;
  readonly version: string;
}

export const apiServiceName = ({ group, version }: GroupVersion): string => `${version}.${group}`;

export const groupVersionOf = ({ spec }: ApiService): GroupVersion => ({
  group: spec?.group ?? "",
  version: spec?.version ?? "",
});

/** Who serves it. Undefined: this server itself. */
export function serviceOf({ spec }: ApiService): ServiceReference | undefined {
  const service = spec?.service;
  return service && { namespace: service.namespace ?? "", name: service.name ?? "", port: service.port ?? 443 };
}

/** Where a group-version is found: "/apis/apps/v1". */
export const rootPath = ({ group, version }: GroupVersion): string =>
  group === "" ? `/api/${version}` : `/apis/${group}/${version}`;

const availableOf = ({ status }: ApiService) => status?.conditions?.find(({ type }) => type === "Available");

/** Whether the server that it names has answered. */
export const hasPassed = (service: ApiService): boolean => availableOf(service)?.reason === "Passed";

export const isAvailable = (service: ApiService): boolean => availableOf(service)?.status === "True";
