import type { ClientValidation } from "../engine/engine.js";
import type { FrontendValidation, Gateway } from "../objects/gateway-objects.js";
import { type Problem, readAuthorities } from "./references.js";
import type { World } from "./world.js";

export interface PlannedFrontend {
  readonly validation: ClientValidation;
  /** A reference that cannot be followed. */
  readonly problem: Problem | undefined;
  /** None can: clients cannot be checked, and the listener is not served. */
  readonly unusable: Problem | undefined;
}

/** Pure: how clients' certificates are checked on a port of a Gateway; undefined: they are not asked for one. */
export function planFrontend(
  port: number,
  { gateway, world }: { readonly gateway: Gateway; readonly world: World },
): PlannedFrontend | undefined {
  const validation = validationOf(gateway, port);
  if (!validation) return undefined;
  const from = { kind: "Gateway", namespace: gateway.metadata.namespace ?? "" };
  const { pem, problem } = readAuthorities(from, validation.caCertificateRefs, {
    world,
    invalid: "InvalidCACertificateRef",
    invalidKind: "InvalidCACertificateKind",
  });
  return {
    validation: { authorities: pem, mode: validation.mode ?? "AllowValidOnly" },
    problem,
    unusable:
      pem === "" ? { reason: "NoValidCACertificate", message: "no authority for clients is usable" } : undefined,
  };
}

/** Settings of a port replace those of all ports. */
function validationOf({ spec }: Gateway, port: number): FrontendValidation | undefined {
  const { perPort = [], default: ofAll } = spec.tls?.frontend ?? {};
  const ofPort = perPort.find((one) => one.port === port);
  return ofPort ? ofPort.tls.validation : ofAll?.validation;
}

/** Whether some clients are let in without a valid certificate: a condition of the Gateway reports it. */
export function isInsecure({ spec }: Gateway): boolean {
  const { perPort = [], default: ofAll } = spec.tls?.frontend ?? {};
  return [ofAll, ...perPort.map(({ tls }) => tls)].some((one) => one?.validation?.mode === "AllowInsecureFallback");
}
