import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Certificate, isSignedBy, readCertificates } from "@coxswain/wire/x509";
import { readIfThere } from "./identity-files.js";

/** A certificate of a file; a file may hold several. */
export interface ListedCertificate {
  readonly file: string;
  readonly certificate: Certificate;
}

/** A file that should hold certificates, and does not. */
export interface UnreadableFile {
  readonly file: string;
  readonly error: string;
}

/** What ends first comes first. */
export function listCertificates(files: readonly string[]): {
  readonly certificates: readonly ListedCertificate[];
  readonly unreadable: readonly UnreadableFile[];
} {
  const certificates: ListedCertificate[] = [];
  const unreadable: UnreadableFile[] = [];
  for (const file of files) {
    try {
      const found = readCertificates(readIfThere(file) ?? "");
      if (found.length === 0) unreadable.push({ file, error: "holds no certificate" });
      for (const certificate of found) certificates.push({ file, certificate });
    } catch (error) {
      unreadable.push({ file, error: (error as Error).message });
    }
  }
  certificates.sort((a, b) => a.certificate.notAfter - b.certificate.notAfter);
  return { certificates, unreadable };
}

/** The certificates of a cluster's folder. */
export const certificateFilesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".crt"))
    .sort()
    .map((name) => join(folder, name));

/** The authority that signed it, of those that are listed; itself for a root. */
export const issuerOf = (
  { certificate }: ListedCertificate,
  all: readonly ListedCertificate[],
): ListedCertificate | undefined =>
  all.find((other) => other.certificate.extensions.isCa && isSignedBy(certificate, other.certificate));
