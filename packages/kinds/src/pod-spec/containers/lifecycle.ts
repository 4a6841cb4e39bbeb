import type { DeepReadonly } from "@coxswain/api";
import type { Lifecycle } from "@coxswain/api/core/v1";
import { type FieldError, type FieldPath, forbidden } from "@coxswain/apimachinery/field";
import { checkOneOf } from "../../checks/field-errors.js";
import type { SpecFacts } from "../spec-facts.js";
import { checkHandler } from "./handlers.js";
import { linuxSignals, windowsSignals } from "./signals.js";

export function checkLifecycle(
  { postStart, preStop, stopSignal }: DeepReadonly<Lifecycle>,
  path: FieldPath,
  { gracePeriod, os }: Pick<SpecFacts, "gracePeriod" | "os">,
): FieldError[] {
  return [
    ...(postStart ? checkHandler(postStart, path.child("postStart"), gracePeriod) : []),
    ...(preStop ? checkHandler(preStop, path.child("preStop"), gracePeriod) : []),
    ...(stopSignal === undefined ? [] : checkStopSignal(stopSignal, path.child("stopSignal"), os)),
  ];
}

/** Which signals there are depends on the system. */
function checkStopSignal(signal: string, path: FieldPath, os: string | undefined): readonly FieldError[] {
  if (os === undefined) return [forbidden(path, "may not be set for containers with empty `spec.os.name`")];
  if (os === "windows") return checkOneOf(signal, windowsSignals, path);
  return os === "linux" ? checkOneOf(signal, linuxSignals, path) : [];
}
