import type { DeepReadonly } from "@coxswain/api";
import type { CertificateSigningRequestCondition } from "@coxswain/api/certificates/v1";
import { cloneJson } from "@coxswain/apimachinery/json";
import { formatTime } from "@coxswain/apimachinery/time";
import { keep } from "../../definition/keep.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import type { StoredCertificateSigningRequest } from "./stored.js";
import { checkCertificateSigningRequest, checkCertificateSigningRequestUpdate } from "./validation.js";

type Request = StoredCertificateSigningRequest;

export const certificateSigningRequestStrategy: Strategy<Request> = {
  resetFields: [["spec"], ["status"]],
  /** The requester is the authenticated client, whatever the object contains. */
  prepareForCreate({ spec, status }, { user }) {
    for (const member of ["username", "uid", "groups", "extra"] as const) delete spec[member];
    if (user) {
      spec.username = user.name;
      if (user.uid) spec.uid = user.uid;
      if (user.groups) spec.groups = [...user.groups];
      if (user.extra) spec.extra = cloneJson(user.extra) as Record<string, string[]>;
    }
    for (const member of Object.keys(status) as (keyof typeof status)[]) delete status[member];
  },
  validateCreate: checkCertificateSigningRequest,
  prepareForUpdate: (request, old) => keep(request, old, "spec", "status"),
  validateUpdate: (request, old) => checkCertificateSigningRequestUpdate(request, old, {}),
};

/** For signers: they add the certificate, or the reason why there is none. */
export const certificateSigningRequestStatusStrategy: UpdateStrategy<Request> = {
  resetFields: [["spec"], ["status", "conditions"]],
  prepareForUpdate(request, old, { now }) {
    keep(request, old, "spec");
    keepConditions(request, old, "Approved");
    keepConditions(request, old, "Denied");
    stampConditions(request, old, now);
  },
  validateUpdate: (request, old) => checkCertificateSigningRequestUpdate(request, old, { mayIssue: true }),
};

/** For approvers: they add conditions and nothing else. */
export const certificateSigningRequestApprovalStrategy: UpdateStrategy<Request> = {
  resetFields: [["spec"], ["status", "certificate"]],
  prepareForUpdate(request, old, { now }) {
    stampConditions(request, old, now);
    const { conditions } = request.status;
    keep(request, old, "spec", "status");
    delete request.status.conditions;
    if (conditions) request.status.conditions = conditions;
  },
  validateUpdate: (request, old) => checkCertificateSigningRequestUpdate(request, old, { mayApprove: true }),
};

/** Conditions of that type stay what they were, as long as there are as many. */
function keepConditions({ status }: Request, old: DeepReadonly<Request>, type: string): void {
  const before = (old.status.conditions ?? []).filter((condition) => condition.type === type);
  const conditions = status.conditions ?? [];
  const places = conditions.flatMap((condition, at) => (condition.type === type ? [at] : []));
  if (places.length !== before.length) return;
  for (const [i, at] of places.entries()) conditions[at] = cloneJson(before[i]) as CertificateSigningRequestCondition;
}

/** Clients may leave the times out. */
function stampConditions({ status }: Request, old: DeepReadonly<Request>, now: number): void {
  for (const condition of status.conditions ?? []) {
    condition.lastUpdateTime ??= formatTime(now);
    if (condition.lastTransitionTime) continue;
    const same = old.status.conditions?.find(
      ({ type, status: truth, lastTransitionTime }) =>
        type === condition.type && truth === condition.status && lastTransitionTime,
    );
    condition.lastTransitionTime = same?.lastTransitionTime ?? formatTime(now);
  }
}
