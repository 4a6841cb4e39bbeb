import { StatusError } from "@coxswain/apimachinery/status";
import type { AdmissionAttributes } from "../../admission.js";
import { forbid } from "../../forbid.js";

/** Why a policy refuses a request. */
export interface Denial {
  readonly policy: string;
  /** Left out where the policy itself is at fault. */
  readonly binding?: string;
  readonly message: string;
  /** @default Invalid */
  readonly reason?: string;
}

const codes: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

export function denyRequest(
  attributes: AdmissionAttributes,
  { policy, binding, message, reason }: Denial,
): StatusError {
  const by = binding === undefined ? "" : ` with binding '${binding}'`;
  const why = `ValidatingAdmissionPolicy '${policy}'${by} denied request: ${message}`;
  const { status } = forbid(attributes, why);
  return new StatusError({
    code: codes[reason ?? "Invalid"] ?? 422,
    reason: (reason ?? "Invalid") as "Invalid",
    message: status.message ?? "",
    details: { ...status.details, causes: [{ message: why }] },
  });
}
