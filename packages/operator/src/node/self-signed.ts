import { hostname } from "node:os";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import type { CertificateSource } from "../serving/index.js";
import { planCertificates } from "./plan-certificates.js";

/** A certificate that is made at the start and known to nobody, as controller-runtime makes one for secure metrics. */
export function selfSigned(): CertificateSource {
  const hosts = ["localhost", "127.0.0.1"];
  const plan = { hosts, commonName: hostname(), now: systemClock.now(), random: systemRandom };
  const { certificate, key } = planCertificates(undefined, plan);
  return { current: async () => ({ certificate, key }), watch: () => {} };
}
