import { readFileSync } from "node:fs";
import type { Client } from "@coxswain/client";
import type { Identity, IdentitySource } from "@coxswain/client/node";
import { writeFileAtomically } from "@coxswain/component/files";
import type { CertificateLife } from "@coxswain/kubelet";
import type { Runtime } from "@coxswain/runtime";
import { readCertificates } from "@coxswain/wire/x509";
import { EarlyRenewal, isSignedByFormer } from "./early-renewal.js";
import { keepCertificate } from "./keep-certificate.js";
import { type CertificatePair, requestNodeCertificate } from "./request-certificate.js";

/** A client certificate in a file that is replaced before it ends; connections of the old one are let go. */
export interface RotatingIdentity extends IdentitySource, CertificateLife {
  /** From now on; the client makes its requests by this identity. */
  follow(client: Client): void;
  /** The node trusts these authorities now: what another one than the first has signed is replaced. */
  trusts(bundle: string): void;
  stop(): Promise<void>;
}

/** @param file certificate and key in PEM, as upstream's kubelet has them in kubelet-client-current.pem (k8s.io/client-go/util/certificate/certificate_store.go, CurrentPath) */
export function createRotatingIdentity(
  runtime: Runtime,
  { file, nodeName }: { readonly file: string; readonly nodeName: string },
): RotatingIdentity {
  const ending = new AbortController();
  let current = identityOf(readFileSync(file, "utf8"));
  let following: Promise<void> | undefined;
  let renewErrors = 0;
  const early = new EarlyRenewal();

  return {
    current: async () => current,
    expiresAt: () => readCertificates(current.certificate?.cert ?? "")[0]?.notAfter ?? 0,
    renewErrors: () => renewErrors,
    follow(client) {
      following = keepCertificate(
        runtime,
        {
          what: "client certificate",
          nodeName,
          early,
          current: () => current.certificate?.cert ?? "",
          request: (signal) => requestNodeCertificate(runtime, { client, nodeName, signal }),
          failed: () => renewErrors++,
          replace(pair) {
            writeFileAtomically(file, pairText(pair), 0o600);
            current = identityOf(pairText(pair));
          },
        },
        ending.signal,
      );
    },
    trusts(bundle) {
      if (isSignedByFormer(current.certificate?.cert ?? "", bundle)) early.ask();
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
