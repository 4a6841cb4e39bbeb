import { X509Certificate } from "node:crypto";

/** A certificate that is shown to clients that ask for certain names. */
export interface NamedCertificate {
  readonly certificate: string;
  readonly key: string;
  /** `example.com`, or `*.example.com` for one label in front. @default the names in the certificate */
  readonly patterns?: readonly string[];
}

/** `cert,key` or `cert,key:pattern,pattern`: what `--tls-sni-cert-key` takes. Undefined: it is none of these. */
export function readNamedFiles(
  text: string,
): { readonly certificateFile: string; readonly keyFile: string; readonly patterns?: readonly string[] } | undefined {
  const colon = text.lastIndexOf(":");
  const [files, names] = colon < 0 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1)];
  const [certificateFile, keyFile, ...rest] = files.split(",").map((part) => part.trim());
  if (!certificateFile || !keyFile || rest.length > 0) return undefined;
  return {
    certificateFile,
    keyFile,
    ...(names === undefined ? {} : { patterns: names.split(",").map((name) => name.trim()) }),
  };
}

/** Which of several entries is meant by a name: one that names it exactly comes before one that covers it with `*.`, earlier ones before later ones. */
export function chooseByName<T extends { readonly patterns: readonly string[] }>(
  entries: readonly T[],
  name: string,
): T | undefined {
  const asked = name.toLowerCase();
  const dot = asked.indexOf(".");
  const covering = dot < 0 ? undefined : `*${asked.slice(dot)}`;
  return (
    entries.find(({ patterns }) => patterns.includes(asked)) ??
    (covering === undefined ? undefined : entries.find(({ patterns }) => patterns.includes(covering)))
  );
}

/** The names that a certificate is for, in lower case; its common name only where it has no others. */
export function namesIn(certificate: string): string[] {
  const { subjectAltName, subject } = new X509Certificate(certificate);
  const names = [...(subjectAltName ?? "").matchAll(/(?:DNS|IP Address):([^,]+)/g)].map(([, name = ""]) =>
    name.trim().toLowerCase(),
  );
  if (names.length > 0) return names;
  const common = /^CN=(.+)$/m.exec(subject)?.[1];
  return common === undefined ? [] : [common.toLowerCase()];
}
