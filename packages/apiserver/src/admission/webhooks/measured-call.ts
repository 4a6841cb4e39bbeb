import { internalError } from "@coxswain/apimachinery/status";
import type { AdmissionAttributes } from "../admission.js";
import type { WebhookSpec } from "./configured-webhooks.js";
import type { WebhookPluginDeps } from "./webhook-deps.js";
import { CallFailure, Rejection } from "./webhook-failure.js";

/** How a webhook's part in a request ended. */
export type CallEnd<T> =
  | { readonly as: "answered"; readonly value: T }
  /** The failure policy lets the request pass. `isCanceled`: nobody waits for it any more. */
  | { readonly as: "failed open"; readonly isCanceled: boolean }
  | { readonly as: "refused"; readonly error: unknown };

/** Runs a call, counts it, and applies the failure policy. Never rejects. */
export async function measuredCall<T>(
  { type, metrics, runtime: { ioClock, log } }: WebhookPluginDeps,
  { operation, request }: AdmissionAttributes,
  { name, failurePolicy }: WebhookSpec,
  call: () => Promise<T>,
): Promise<CallEnd<T>> {
  const began = ioClock.monotonic();
  const labels = { name, type, operation };
  const ended = (code: number, rejected: boolean): void => {
    const ms = ioClock.monotonic() - began;
    metrics.called(labels, { ms, rejected, code });
    const latencies = request?.latencies;
    if (type === "admit") latencies?.add("mutating-webhook", ms);
    else latencies?.addLongest("validating-webhook", ms);
    latencies?.addPart({ layer: type === "admit" ? "mutating-webhook" : "validating-webhook", name, ms });
  };
  try {
    const value = await call();
    ended(200, false);
    return { as: "answered", value };
  } catch (err) {
    if (err instanceof Rejection) {
      const { code } = err.refusal.status;
      metrics.rejected(labels, "no_error", code);
      ended(code, true);
      return { as: "refused", error: err.refusal };
    }
    if (!(err instanceof CallFailure)) {
      metrics.rejected(labels, "apiserver_internal_error", 0);
      ended(0, true);
      return { as: "refused", error: err };
    }
    const { code, isCanceled } = err;
    if (failurePolicy !== "Ignore") {
      if (!isCanceled) metrics.rejected(labels, "calling_webhook_error", code);
      ended(code, true);
      log.warn("an admission webhook could not be called: the request fails", { webhook: name, error: err });
      return { as: "refused", error: internalError(err.message, { cause: err }) };
    }
    ended(code, false);
    if (!isCanceled) {
      metrics.failedOpen(labels);
      log.warn("an admission webhook could not be called: the request goes on", { webhook: name, error: err });
    }
    return { as: "failed open", isCanceled };
  }
}
