import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import type { ApiService, GroupVersion } from "./api-service.js";

/** Who keeps an APIService: the server at its start, or the server all the time. */
export const managedLabel = "kube-aggregator.kubernetes.io/automanaged";
type Managed = "onstart" | "true";

/** An APIService that the server wants to exist. */
export interface WantedService extends GroupVersion {
  readonly groupPriority: number;
  readonly versionPriority: number;
  readonly managed: Managed;
}

export interface RegistrationState {
  /** Undefined: it should not exist. */
  readonly wanted: WantedService | undefined;
  /** Undefined: there is none. */
  readonly current: ApiService | undefined;
  /** The server has looked at this name before, and done what was to do. */
  readonly isSynced: boolean;
  readonly wasThereAtStart: boolean;
}

/**
 * Pure: what is to be done about one name. Nothing that the server does not manage is touched; what it manages at its start only is
 * brought in line once, so that an administrator's change holds until the next start.
 */
export function planRegistration({ wanted, current, isSynced, wasThereAtStart }: RegistrationState): RegistrationPlan {
  if (!current && !wanted) return "nothing";
  if (wanted?.managed === "onstart" && isSynced) return "nothing";
  if (!current) return "create";
  const managed = getOwn(current.metadata.labels ?? {}, managedLabel);
  if (managed !== "onstart" && managed !== "true") return "nothing";
  if (managed === "onstart" && (!wasThereAtStart || isSynced)) return "nothing";
  if (!wanted) return "delete";
  return equalJson(current.spec, specOf(wanted)) ? "nothing" : "update";
}

export type RegistrationPlan = "nothing" | "create" | "update" | "delete";

/** Members in the order of the type. */
export const specOf = ({ group, version, groupPriority, versionPriority }: WantedService): ApiService["spec"] => ({
  ...(group === "" ? {} : { group }),
  version,
  groupPriorityMinimum: groupPriority,
  versionPriority,
});
