import type { AdmissionRequest, AdmissionResponse, AdmissionReview } from "@coxswain/api/admission/v1";
import { cloneJson } from "@coxswain/apimachinery/json";
import { isStatusError } from "@coxswain/apimachinery/status";
import type { Handler, ServedResponse } from "../serving/index.js";
import { jsonPatchDifference } from "./json-patch-difference.js";

/** The request behind an admission, and warnings for its client. */
export interface Admission {
  /** User, operation, namespace, options, `dryRun`: a webhook without side effects need not look at the last. */
  readonly request: AdmissionRequest;
  /** Shows the client a warning, whatever the outcome. */
  warn(text: string): void;
}

/** Fills in what was left out: changes the object. To refuse it, throw. */
export type Defaulter<T> = (object: T, admission: Admission) => void | Promise<void>;

/**
 * Each throws to refuse: an Error's message reaches the client as a 403, a StatusError (`invalid(…)`) as it is. What is left out allows.
 */
export interface Validator<T> {
  create?(object: T, admission: Admission): void | Promise<void>;
  update?(object: T, old: T, admission: Admission): void | Promise<void>;
  delete?(object: T, admission: Admission): void | Promise<void>;
}

/** controller-runtime's limit: two objects of 3 MB, and 1 MB for the rest. */
const maxBodyBytes = 7 * 1024 * 1024;

type Decision = Omit<AdmissionResponse, "uid">;

export const defaultingHandler = <T extends object>(defaulter: Defaulter<T>): Handler =>
  admissionHandler(async (admission) => {
    const { request } = admission;
    if (request.operation === "DELETE") return { allowed: true, status: { code: 200 } };
    const before = request.object as unknown as T;
    const after = cloneJson(before);
    await defaulter(after, admission);
    const patch = jsonPatchDifference(before, after);
    if (patch.length === 0) return { allowed: true };
    return { allowed: true, patchType: "JSONPatch", patch: base64(JSON.stringify(patch)) };
  });

export const validatingHandler = <T extends object>(validator: Validator<T>): Handler =>
  admissionHandler(async (admission) => {
    const { operation, object, oldObject } = admission.request;
    const [given, old] = [object, oldObject] as unknown as [T, T];
    switch (operation) {
      case "CREATE":
        await validator.create?.(given, admission);
        break;
      case "UPDATE":
        await validator.update?.(given, old, admission);
        break;
      case "DELETE":
        await validator.delete?.(old, admission);
        break;
      case "CONNECT":
        break;
      default:
        return errored(400, `unknown operation ${JSON.stringify(operation)}`);
    }
    return { allowed: true, status: { code: 200 } };
  });

/** Reads the review, asks `decide`, and answers in the version of the review. */
export function admissionHandler(decide: (admission: Admission) => Promise<Decision>): Handler {
  return async ({ body, headers }) => {
    if (body.length === 0) return untyped(errored(400, "request body is empty"));
    if (body.length > maxBodyBytes)
      return untyped(errored(413, `request entity is too large; limit is ${maxBodyBytes} bytes`));
    const contentType = headers["content-type"] ?? "";
    if (contentType !== "application/json")
      return untyped(errored(400, `contentType=${contentType}, expected application/json`));
    let review: AdmissionReview;
    try {
      review = (JSON.parse(new TextDecoder().decode(body)) ?? {}) as AdmissionReview; // Go reads null as nothing
    } catch (error) {
      return untyped(errored(400, (error as Error).message));
    }
    const { request } = review;
    if (!request) return untyped(errored(400, "the review has no request"));
    const warnings: string[] = [];
    const decision = await decide({ request, warn: (text) => void warnings.push(text) }).catch(refusal);
    const response = { uid: request.uid, ...decision, ...(warnings.length > 0 && { warnings }) };
    const { apiVersion = "admission.k8s.io/v1", kind = "AdmissionReview" } = review;
    return json({ apiVersion, kind, response });
  };
}

function refusal(error: unknown): Decision {
  if (isStatusError(error)) return { allowed: false, status: error.status as NonNullable<Decision["status"]> };
  // A mistake in the webhook must be found in its log, and not look like a decision.
  if (error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError)
    return errored(500, `panic: ${error.message} [recovered]`);
  const message = error instanceof Error ? error.message : String(error);
  return { allowed: false, status: { code: 403, reason: "Forbidden", ...(message !== "" && { message }) } };
}

const errored = (code: number, message: string): Decision => ({ allowed: false, status: { code, message } });
const untyped = (response: Decision): ServedResponse => json({ response: { uid: "", ...response } });
export const json = (value: unknown): ServedResponse => ({
  contentType: "application/json",
  body: JSON.stringify(value),
});

function base64(text: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}
