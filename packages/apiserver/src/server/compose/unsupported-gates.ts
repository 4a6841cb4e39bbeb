import type { FeatureGates } from "@coxswain/component/feature-gates";

/** Gates of upstream's whose feature is not there, and what to do instead. */
const unsupported: Readonly<Record<string, string>> = {
  ManifestBasedAdmissionControlConfig:
    "webhook configurations and policies are not read from files; create them through the API",
};

/** A gate that is switched on by its name must not do nothing. `AllAlpha` leaves these alone. @throws Error */
export function refuseUnsupportedGates(gates: FeatureGates, wanted: ReadonlyMap<string, string> = new Map()): void {
  for (const [name, instead] of Object.entries(unsupported))
    if (wanted.has(name) && gates.enabled(name))
      throw new Error(`feature gate ${name} cannot be switched on: ${instead}`);
}
