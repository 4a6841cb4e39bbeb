import { readFileSync } from "node:fs";
import type { Client } from "@coxswain/client";
import type { Identity, IdentitySource } from "@coxswain/client/node";
import { writeFileAtomically } from "@coxswain/component/files";
import type { CertificateLife } from "@coxswain/kubelet";
import type { Runtime } from "@coxswain/runtime";
import { sleep } from "@coxswain/runtime/wait";
import { readCertificates } from "@coxswain/wire/x509";
import { type CertificatePair, requestNodeCertificate } from "./request-certificate.js";
import { rotationDeadline } from "./rotation-deadline.js";

/** A client certificate in a file that is replaced before it ends; connections of the old one are let go. */
export interface RotatingIdentity extends IdentitySource, CertificateLife {
  /** From now on; the client makes its requests by this identity. */
  follow(client: Client): void;
  stop(): Promise<void>;
}

/** Milliseconds until a request that failed is tried again: upstream's back-off grows from two seconds to two minutes. */
const [firstRetryMs, maxRetryMs] = [2000, 120_000];

/** @param file certificate and key in PEM, as upstream's kubelet has them in kubelet-client-current.pem */
export function createRotatingIdentity(
  runtime: Runtime,
  { file, nodeName }: { readonly file: string; readonly nodeName: string },
): RotatingIdentity {
  const ending = new AbortController();
  let current = identityOf(readFileSync(file, "utf8"));
  let following: Promise<void> | undefined;
  let renewErrors = 0;

  async function rotate(client: Client): Promise<void> {
    const { ioClock: clock, log, random } = runtime;
    const { signal } = ending;
    for (let retryMs = firstRetryMs; ; ) {
      const [leaf] = readCertificates(current.certificate?.cert ?? "");
      const dueMs = leaf ? rotationDeadline(leaf, random) - clock.now() : 0;
      await sleep(Math.max(0, dueMs), { clock, signal });
      try {
        const pair = await requestNodeCertificate(runtime, { client, nodeName, signal });
        writeFileAtomically(file, pairText(pair), 0o600);
        current = identityOf(pairText(pair));
        retryMs = firstRetryMs;
        log.info("the node has a new client certificate", { node: nodeName });
      } catch (error) {
        if (signal.aborted) return;
        renewErrors++;
        log.warn("the node's client certificate could not be renewed and is tried again", { node: nodeName, error });
        await sleep(retryMs, { clock, signal });
        retryMs = Math.min(2 * retryMs, maxRetryMs);
      }
    }
  }

  return {
    current: async () => current,
    expiresAt: () => readCertificates(current.certificate?.cert ?? "")[0]?.notAfter ?? 0,
    renewErrors: () => renewErrors,
    follow(client) {
      following = rotate(client).catch(() => {}); // it ends with the signal
    },
    async stop() {
      ending.abort();
      await following;
    },
  };
}

export const pairText = ({ certificate, key }: CertificatePair): string => `${certificate.trimEnd()}\n${key}`;

/** Both stand in one text; each reader takes the blocks that it knows. */
const identityOf = (text: string): Identity => ({ headers: {}, certificate: { cert: text, key: text } });
