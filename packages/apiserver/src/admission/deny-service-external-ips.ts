import type { Service } from "@coxswain/api/core/v1";
import type { AdmissionPlugin } from "./admission.js";
import { forbid } from "./forbid.js";

/** Nobody takes addresses that may be somebody else's; those that a service has it may keep. */
export const denyServiceExternalIps: AdmissionPlugin = {
  name: "DenyServiceExternalIPs",
  operations: ["CREATE", "UPDATE"],
  validate(attributes) {
    const { kind, subresource } = attributes;
    if (kind.group !== "" || kind.resource !== "services" || subresource !== "") return;
    const kept = (attributes.old as Service | undefined)?.spec?.externalIPs ?? [];
    const wanted = (attributes.object as Service).spec?.externalIPs ?? [];
    if (wanted.some((address) => !kept.includes(address)))
      throw forbid(attributes, "Use of external IPs is denied by admission control");
  },
};
