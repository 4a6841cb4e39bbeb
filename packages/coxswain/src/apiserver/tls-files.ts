import { readFileSync } from "node:fs";
import type { Credentials } from "@coxswain/apiserver";
import type { CertificateUses, ClusterCertificates } from "@coxswain/component/certificates";
import { type WatchedFiles, watchFiles } from "@coxswain/component/serving";
import type { Logger } from "@coxswain/runtime/log";
import { readCertificates } from "@coxswain/wire/x509";

/** Files to take instead of what the data directory has. */
export interface TlsFiles {
  /** Files that others read, and that change what is used as well. */
  readonly more?: readonly string[];
  readonly certificateFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly clientAuthorityFile: string | undefined;
  readonly named: readonly {
    readonly certificateFile: string;
    readonly keyFile: string;
    readonly patterns?: readonly string[];
  }[];
}

export function readCredentials(
  { certificateFile, keyFile, clientAuthorityFile, named }: TlsFiles,
  own: ClusterCertificates,
): Credentials {
  const read = (file: string): string => readFileSync(file, "utf8");
  return {
    certificate: certificateFile === undefined ? own.server.certificate : read(certificateFile),
    key: keyFile === undefined ? own.server.key : read(keyFile),
    // Our own authority stays: the administrator's kubeconfig is signed by it.
    clientAuthority:
      clientAuthorityFile === undefined
        ? own.ca.certificate
        : `${readAuthorities(clientAuthorityFile, "client-ca-bundle").trimEnd()}\n${own.ca.certificate}`,
    named: named.map((files) => ({
      certificate: read(files.certificateFile),
      key: read(files.keyFile),
      ...(files.patterns ? { patterns: files.patterns } : {}),
    })),
  };
}

/** For who watches when certificates expire. */
export const certificateUses = (
  { certificate, clientAuthority, named }: Credentials,
  frontProxyAuthority: string | undefined,
): CertificateUses => ({
  serving: [certificate, ...(named ?? []).map((pair) => pair.certificate)].join("\n"),
  "client-ca": clientAuthority,
  ...(frontProxyAuthority === undefined ? {} : { "requestheader-client-ca": frontProxyAuthority }),
});

/** A bundle without a readable certificate would silently trust nobody. @throws for such a one */
export function readAuthorities(file: string, purpose: "client-ca-bundle" | "request-header"): string {
  const pem = readFileSync(file, "utf8");
  if (!hasCertificates(pem))
    throw new Error(
      `error loading CA bundle for "${purpose}::${file}": data does not contain any valid RSA or ECDSA certificates`,
    );
  return pem;
}

function hasCertificates(pem: string): boolean {
  try {
    return readCertificates(pem).length > 0;
  } catch {
    return false;
  }
}

/** Reads the files again whenever they change. A pair that does not fit (yet) leaves everything as it was, and is logged. */
export function followCredentials(
  files: TlsFiles,
  own: () => ClusterCertificates,
  use: (credentials: Credentials) => void,
  log: Logger,
): WatchedFiles {
  const watched = [
    files.certificateFile,
    files.keyFile,
    files.clientAuthorityFile,
    ...files.named.flatMap((pair) => [pair.certificateFile, pair.keyFile]),
    ...(files.more ?? []),
  ].filter((file) => file !== undefined);
  return watchFiles(watched, () => {
    try {
      use(readCredentials(files, own()));
      log.info("new certificates are in use");
    } catch (error) {
      log.warn("the certificates that changed cannot be used; the old ones stay", { error });
    }
  });
}
