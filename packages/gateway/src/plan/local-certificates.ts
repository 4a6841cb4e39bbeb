import type { Ingress } from "@coxswain/api/networking/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { getOwn } from "@coxswain/apimachinery/own";
import type { ServerCertificate } from "../engine/backend.js";
import type { Listener } from "../objects/gateway-objects.js";
import type { World } from "./world.js";

/** A member of a listener's `tls.options`, which are free for implementations: `local` stands for a certificate of the local authority. */
const optionName = "coxswain.dev/certificate";

/** Names that lead to the machine itself, on each machine (RFC 6761, section 6.3). */
const isLocalName = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");

/** Pure: the certificate for the names below localhost of an Ingress, those without a host being for localhost. None without a local authority. */
export function localCertificateOf({ spec }: DeepReadonly<Ingress>, world: World): ServerCertificate | undefined {
  const hosts = (spec?.rules ?? []).map(({ host = "" }) => host || "localhost");
  const names = new Set([...hosts, ...(spec?.defaultBackend ? ["localhost"] : [])].filter(isLocalName));
  return names.size > 0 ? world.localCertificate([...names].toSorted()) : undefined;
}

/** Pure: the certificate of a listener that asks for one of the local authority; undefined: it does not, or there is none. */
export function localCertificateFor({ hostname = "", tls }: Listener, world: World): ServerCertificate | undefined {
  const name = hostname || "localhost";
  if (getOwn(tls?.options, optionName) !== "local" || !isLocalName(name)) return undefined;
  return world.localCertificate([name]);
}
