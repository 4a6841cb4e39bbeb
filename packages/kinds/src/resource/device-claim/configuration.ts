import type { DeepReadonly } from "@coxswain/api";
import type { DeviceConfiguration } from "@coxswain/api/resource/v1";
import { type FieldError, type FieldPath, required } from "@coxswain/apimachinery/field";
import { checkDriverName } from "../names.js";
import { checkRawObject } from "../raw-object.js";

export const mostConfigurations = 32;

/** `isStored`: the same stood there before, when parameters could be longer. */
export function checkConfiguration(
  { opaque }: DeepReadonly<DeviceConfiguration>,
  path: FieldPath,
  isStored = false,
): FieldError[] {
  const here = path.child("opaque");
  if (!opaque) return [required(here)];
  return [
    ...checkDriverName(opaque.driver, here.child("driver")),
    ...checkRawObject(opaque.parameters, here.child("parameters"), isStored),
  ];
}
