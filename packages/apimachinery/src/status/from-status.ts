import type { Status } from "./status.js";
import { StatusError } from "./status-error.js";

/** The error of a Status that a server sent; undefined where the object is none. */
export function statusErrorFromObject(object: unknown): StatusError | undefined {
  if (typeof object !== "object" || object === null) return undefined;
  const status = object as Partial<Status> & { apiVersion?: string };
  if (status.kind !== "Status" || (status.apiVersion !== "v1" && status.apiVersion !== "meta.k8s.io/v1"))
    return undefined;
  return new StatusError({
    code: status.code ?? 0,
    reason: status.reason ?? "",
    message: status.message ?? "",
    ...(status.details ? { details: status.details } : {}),
  });
}
