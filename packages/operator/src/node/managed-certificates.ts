import type { Secret } from "@coxswain/api/core/v1";
import { isAlreadyExists, isConflict, isNotFound, isStatusError } from "@coxswain/apimachinery/status";
import { type Client, isTransportError } from "@coxswain/client";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { retry } from "@coxswain/runtime/backoff";
import { runEvery } from "@coxswain/runtime/wait";
import type { CertificateSource, ServingCertificate } from "../serving/index.js";
import { type InjectionTargets, injectAuthorities } from "./inject-authorities.js";
import { type CertificateSet, planCertificates } from "./plan-certificates.js";

export interface ManagedCertificatesOptions {
  /** One that may write the Secret and the targets. */
  readonly client: Client;
  readonly namespace: string;
  /** The Secret that replicas share. */
  readonly secret: string;
  /** The Service in front of the webhook server. */
  readonly service: string;
  /** Further names and addresses by which it is reached. */
  readonly hosts?: readonly string[];
  readonly inject?: InjectionTargets;
  /** How often the Secret and the targets are looked at. @default 600,000 */
  readonly intervalMs?: number;
  /** @default systemRuntime() */
  readonly runtime?: Runtime;
}

/** About a minute in all: then the process ends, and its Deployment starts another. */
const firstTries = { initialMs: 250, maxMs: 10_000, steps: 10 };

const decode = (text: string | undefined): string => Buffer.from(text ?? "", "base64").toString();
const encode = (text: string): string => Buffer.from(text).toString("base64");

/**
 * Makes the webhook server's certificates itself: an authority and a serving certificate in a Secret that replicas share, renewed before they
 * expire, with the authority put into webhook configurations and conversions. Needs no cert-manager.
 *
 * *Guarantees*: replicas agree, as the Secret is written only in the version that was read, and the loser of a race takes the winner's. A new
 * authority is trusted beside the old one, so that no call fails while replicas still serve the old certificate.
 */
export function managedCertificates(options: ManagedCertificatesOptions): CertificateSource {
  const { client, namespace, secret, service, inject = {}, intervalMs = 600_000 } = options;
  const runtime = options.runtime ?? systemRuntime();
  const { log, clock, random } = runtime;
  const secrets = client.core.v1.secrets(namespace);
  const commonName = `${service}.${namespace}.svc`;
  const hosts = [
    service,
    `${service}.${namespace}`,
    commonName,
    `${commonName}.cluster.local`,
    ...(options.hosts ?? []),
  ];
  const plan = (found: Partial<CertificateSet> | undefined): CertificateSet =>
    planCertificates(found, { hosts, commonName, now: clock.now(), random });

  async function ensureSecret(): Promise<CertificateSet> {
    for (let tries = 0; ; tries++) {
      try {
        const existing = await secrets.get(secret).catch((error: unknown) => {
          if (isNotFound(error)) return undefined;
          throw error;
        });
        const found = existing && setOf(existing);
        const wanted = plan(found);
        if (wanted === found) return wanted;
        log.info("writing new webhook certificates", { secret: `${namespace}/${secret}` });
        if (existing) await secrets.update({ ...existing, data: { ...existing.data, ...dataOf(wanted) } });
        else await secrets.create({ metadata: { name: secret }, type: "kubernetes.io/tls", data: dataOf(wanted) });
        return wanted;
      } catch (error) {
        // Another replica was faster, or an answer was lost: what is there now is read.
        if (tries >= 5 || !(isConflict(error) || isAlreadyExists(error) || isTransportError(error))) throw error;
      }
    }
  }

  async function ensure(): Promise<ServingCertificate> {
    const { certificate, key, caCertificates } = await ensureSecret();
    try {
      const missing = await injectAuthorities(client, inject, { caBundle: encode(caCertificates), hosts, runtime });
      if (missing.length > 0) log.warn("the webhooks' authority has nowhere to go yet", { missing });
    } catch (error) {
      // Serving goes on; the next look tries again.
      log.warn("the webhooks' authority was not injected; trying again", { error });
    }
    return { certificate, key };
  }

  return {
    /** At the start of an operator its role, its namespace or the server may not be there yet. */
    current: () =>
      retry(ensure, {
        clock,
        backoff: firstTries,
        isRetriable(error) {
          const isExpected = isStatusError(error) || isTransportError(error);
          if (isExpected) log.warn("webhook certificates could not be written; trying again", { error });
          return isExpected;
        },
      }),
    watch(changed, signal) {
      let known: string | undefined;
      const look = async (): Promise<void> => {
        const pair = await ensure();
        if (known !== undefined && known !== pair.certificate) changed(pair);
        known = pair.certificate;
      };
      const onError = (error: unknown): void =>
        log.warn("webhook certificates could not be read; trying again", { error });
      void runEvery(look, { intervalMs, clock, signal, onError });
    },
  };
}

const setOf = ({ data = {} }: Secret): Partial<CertificateSet> => ({
  caCertificates: decode(data["ca.crt"]),
  caKey: decode(data["ca.key"]),
  certificate: decode(data["tls.crt"]),
  key: decode(data["tls.key"]),
});

const dataOf = ({ caCertificates, caKey, certificate, key }: CertificateSet): Record<string, string> => ({
  "ca.crt": encode(caCertificates),
  "ca.key": encode(caKey),
  "tls.crt": encode(certificate),
  "tls.key": encode(key),
});
