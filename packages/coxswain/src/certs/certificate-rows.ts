import { relative } from "node:path";
import { issuerOf, type ListedCertificate } from "@coxswain/component/certificates";

export interface CertificateRow {
  readonly file: string;
  readonly subject: string;
  readonly issuer: string;
  readonly isAuthority: boolean;
  /** RFC 3339. */
  readonly expires: string;
  readonly state: "valid" | "expires soon" | "expired";
  /** Whole days; below 0: since so many. */
  readonly daysLeft: number;
}

const day = 86_400_000;
/** When servers begin to warn, and to renew. */
const soonMs = 30 * day;

/** What is listed, for people and programs. @param folder files in it are named by their name */
export const certificateRows = (
  listed: readonly ListedCertificate[],
  { now, folder }: { now: number; folder: string },
): CertificateRow[] =>
  listed.map((one) => {
    const { file, certificate } = one;
    const left = certificate.notAfter - now;
    const issuer = issuerOf(one, listed);
    const inFolder = relative(folder, file);
    return {
      file: inFolder.startsWith("..") ? file : inFolder,
      subject: certificate.subject.commonName ?? "",
      issuer: issuer?.certificate === certificate ? "itself" : (certificate.issuer.commonName ?? ""),
      isAuthority: certificate.extensions.isCa,
      expires: new Date(certificate.notAfter).toISOString().replace(".000Z", "Z"),
      state: left < 0 ? "expired" : left < soonMs ? "expires soon" : "valid",
      daysLeft: Math.floor(left / day),
    };
  });
