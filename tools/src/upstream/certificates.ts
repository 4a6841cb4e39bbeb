import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ClusterAccess } from "./kubeconfig.js";

/** Paths of PEM files in one folder. */
export interface CertificateFiles {
  ca: string;
  serverCertificate: string;
  serverKey: string;
  /** Of a user in `system:masters`. */
  clientCertificate: string;
  clientKey: string;
  /** Signs and checks service account tokens. */
  serviceAccountKey: string;
}

const run = promisify(execFile);

/** Makes a CA, and with it a server certificate for loopback and a client certificate for an administrator. */
export async function createCertificates(folder: string): Promise<CertificateFiles> {
  const file = (name: string): string => join(folder, name);
  const key = async (name: string): Promise<string> => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    // SEC 1 rather than PKCS #8: kube-apiserver reads both for TLS, but only this one for service account keys.
    await writeFile(file(name), privateKey.export({ type: "sec1", format: "pem" }), { mode: 0o600 });
    return file(name);
  };
  const issue = async (name: string, subject: string, extensions: string[]): Promise<{ certificate: string; key: string }> => {
    const keyFile = await key(`${name}.key`);
    const certificate = file(`${name}.crt`);
    const issuer = name === "ca" ? [] : ["-CA", file("ca.crt"), "-CAkey", file("ca.key")];
    const lines = extensions.flatMap((extension) => ["-addext", extension]);
    const request = ["req", "-x509", "-new", "-sha256", "-days", "2", "-key", keyFile, "-subj", subject, "-out", certificate];
    await run("openssl", [...request, ...issuer, ...lines]);
    return { certificate, key: keyFile };
  };
  const ca = await issue("ca", "/CN=upstream-ca", ["keyUsage=critical,keyCertSign,cRLSign"]);
  const leaf = ["basicConstraints=critical,CA:FALSE", "keyUsage=critical,digitalSignature"];
  const names = "subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:kubernetes,DNS:kubernetes.default.svc";
  const server = await issue("server", "/CN=kube-apiserver", [...leaf, "extendedKeyUsage=serverAuth", names]);
  const client = await issue("client", "/O=system:masters/CN=admin", [...leaf, "extendedKeyUsage=clientAuth"]);
  return {
    ca: ca.certificate,
    serverCertificate: server.certificate,
    serverKey: server.key,
    clientCertificate: client.certificate,
    clientKey: client.key,
    serviceAccountKey: await key("service-account.key"),
  };
}

/** The administrator's access, read from the files. */
export async function readAccess(server: string, files: CertificateFiles): Promise<ClusterAccess> {
  const [certificateAuthority, clientCertificate, clientKey] = await Promise.all(
    [files.ca, files.clientCertificate, files.clientKey].map((path) => readFile(path, "utf8")),
  );
  return { server, certificateAuthority: certificateAuthority!, clientCertificate: clientCertificate!, clientKey: clientKey! };
}
