import type { AdmissionAttributes } from "../admission.js";

/** Options of a patch are shown as those of the create or update that it comes to. */
export function requestOptions({ request, operation }: AdmissionAttributes): Readonly<Record<string, unknown>> | null {
  const options = request?.options?.();
  if (!options || (options["kind"] !== "PatchOptions" && options["kind"] !== "UpdateOptions")) return options ?? null;
  const { force: _, ...rest } = options;
  return { ...rest, kind: operation === "CREATE" ? "CreateOptions" : "UpdateOptions" };
}
