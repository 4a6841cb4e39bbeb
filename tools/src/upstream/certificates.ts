import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  createAuthority,
  createClientIdentity,
  createServerIdentity,
  encodePrivateKey,
  generateKeyPair,
  type NameOptions,
} from "@coxswain/wire/x509";
import type { ClusterAccess } from "./kubeconfig.js";

/** Paths of PEM files in one folder, and what a client needs of them. */
export interface Certificates {
  readonly ca: string;
  /** With it a controller manager signs what a CertificateSigningRequest asks for. */
  readonly caKey: string;
  readonly serverCertificate: string;
  readonly serverKey: string;
  /** Signs and checks service account tokens. */
  readonly serviceAccountKey: string;
  /** Of a user in `system:masters`: contents, not paths. */
  readonly admin: Omit<ClusterAccess, "server">;
  /** Makes a certificate for another client or, with hosts, for another server, as `<name>.crt` and `<name>.key`. */
  issue(name: string, subject: NameOptions, hosts?: readonly string[]): Promise<{ certificate: string; key: string }>;
}

const dayMs = 24 * 60 * 60 * 1000;
const loopback = ["127.0.0.1", "localhost", "kubernetes", "kubernetes.default.svc"];

/** Makes a CA, and with it a server certificate (for loopback unless hosts are named) and a client certificate for an administrator. */
export async function createCertificates(folder: string, hosts: readonly string[] = loopback): Promise<Certificates> {
  const now = Date.now();
  const common = { notBefore: now - dayMs, notAfter: now + dayMs, random: { bytes: randomBytes } };
  const authority = createAuthority({ ...common, subject: { commonName: "upstream-ca" } });
  const server = createServerIdentity(authority, { ...common, subject: { commonName: "kube-apiserver" }, hosts });
  const client = createClientIdentity(authority, {
    ...common,
    subject: { commonName: "admin", organizations: ["system:masters"] },
  });
  const write = async (name: string, content: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, content, { mode: 0o600 });
    return path;
  };
  return {
    ca: await write("ca.crt", authority.pem),
    caKey: await write("ca.key", encodePrivateKey(authority.privateKey)),
    serverCertificate: await write("server.crt", server.pem),
    serverKey: await write("server.key", encodePrivateKey(server.privateKey)),
    serviceAccountKey: await write("service-account.key", encodePrivateKey(generateKeyPair().privateKey)),
    admin: {
      certificateAuthority: authority.pem,
      clientCertificate: client.pem,
      clientKey: encodePrivateKey(client.privateKey),
    },
    async issue(name, subject, names) {
      const identity =
        names === undefined
          ? createClientIdentity(authority, { ...common, subject })
          : createServerIdentity(authority, { ...common, subject, hosts: names });
      return {
        certificate: await write(`${name}.crt`, identity.pem),
        key: await write(`${name}.key`, encodePrivateKey(identity.privateKey)),
      };
    },
  };
}
