import { existsSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { makeDirectory } from "@coxswain/component/files";
import { FlagError } from "@coxswain/component/flags";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { createAuthority, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";

export interface ServingPair {
  readonly tlsCertFile: string;
  readonly tlsPrivateKeyFile: string;
}

const dayMs = 86_400_000;

/** The pair that kube-apiserver uses of its certificate directory; as there, a directory without one gets it. @throws FlagError for half a pair */
export function servingPair(certDir: string, bindAddress: string): ServingPair {
  const pair = { tlsCertFile: join(certDir, "apiserver.crt"), tlsPrivateKeyFile: join(certDir, "apiserver.key") };
  const there = Object.values(pair).filter((file) => existsSync(file));
  if (there.length === 2) return pair;
  if (there.length === 1)
    throw new FlagError(
      `--cert-dir ${certDir} has only one of apiserver.crt and apiserver.key: add the other, or delete it`,
    );
  const now = systemClock.now();
  const validity = { notBefore: now - dayMs, notAfter: now + 365 * dayMs, random: systemRandom };
  const commonName = `${hostname()}-ca@${Math.floor(now / 1000)}`;
  const authority = createAuthority({ ...validity, subject: { commonName, organizations: [] } });
  const identity = createServerIdentity(authority, {
    ...validity,
    subject: { commonName: hostname(), organizations: [] },
    hosts: ["kubernetes.default.svc", "kubernetes.default", "kubernetes", "localhost", "127.0.0.1", bindAddress],
  });
  makeDirectory(certDir);
  writeFileSync(pair.tlsPrivateKeyFile, encodePrivateKey(identity.privateKey), { mode: 0o600 });
  writeFileSync(pair.tlsCertFile, `${identity.pem.trimEnd()}\n${authority.pem}`);
  return pair;
}
