import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { FlagError } from "@coxswain/component/flags";
import type { Clock } from "@coxswain/runtime/clock";
import type { RandomSource } from "@coxswain/runtime/random";
import { createAuthority, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";

const day = 86_400_000;

/** The certificate that the flags name, or a self-signed one that lasts as long as upstream's (k8s.io/client-go/util/cert/cert.go, GenerateSelfSignedCertKeyWithFixtures): a year. */
export function servingCredentials(
  files: { readonly certificate: string | undefined; readonly key: string | undefined },
  { clock, random }: { clock: Clock; random: RandomSource },
): { readonly certificate: string; readonly key: string } {
  if (files.certificate !== undefined && files.key !== undefined)
    return { certificate: readFileSync(files.certificate, "utf8"), key: readFileSync(files.key, "utf8") };
  if (files.certificate !== undefined || files.key !== undefined)
    throw new FlagError("--tls-cert-file and --tls-private-key-file must be given together");
  const options = { notBefore: clock.now() - day, notAfter: clock.now() + 365 * day, random };
  const authority = createAuthority({ ...options, subject: { commonName: `${hostname()}-ca` } });
  const server = createServerIdentity(authority, {
    ...options,
    subject: { commonName: hostname() },
    hosts: [hostname(), "localhost", "127.0.0.1", "::1"],
  });
  return { certificate: server.pem + authority.pem, key: encodePrivateKey(server.privateKey) };
}
