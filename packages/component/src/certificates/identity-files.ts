import { createPrivateKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Certificate, encodePrivateKey, readCertificates } from "@coxswain/wire/x509";
import { writeFileAtomically } from "../files/index.js";

/** A certificate and its key, as PEM, with the files they are kept in. */
export interface KeptIdentity {
  readonly certificate: string;
  readonly key: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** What was found of one identity. A key may stand alone: the process ended between the two writes. */
export interface FoundIdentity {
  readonly privateKey: KeyObject | undefined;
  /** The first of the file. */
  readonly certificate: Certificate | undefined;
  /** All of the file: that of an authority may hold those that are trusted besides. */
  readonly bundle: readonly Certificate[];
  readonly kept: KeptIdentity;
}

/** @throws Error that names the file and what to do, when one is there but cannot be used */
export function readIdentity(folder: string, name: string): FoundIdentity {
  const certificateFile = join(folder, `${name}.crt`);
  const keyFile = join(folder, `${name}.key`);
  const certificateText = readIfThere(certificateFile);
  const keyText = readIfThere(keyFile);
  const bundle = certificateText === undefined ? [] : parseCertificates(certificateFile, certificateText);
  return {
    certificate: bundle[0],
    bundle,
    privateKey: keyText === undefined ? undefined : parsePrivateKey(keyFile, keyText),
    kept: { certificate: certificateText ?? "", key: keyText ?? "", certificateFile, keyFile },
  };
}

/** The key first: alone it is of use at the next start, a certificate alone is not. */
export function writeIdentity(
  folder: string,
  name: string,
  identity: { pem: string; privateKey: KeyObject },
): KeptIdentity {
  const kept = {
    certificate: identity.pem,
    key: encodePrivateKey(identity.privateKey),
    certificateFile: join(folder, `${name}.crt`),
    keyFile: join(folder, `${name}.key`),
  };
  writeFileAtomically(kept.keyFile, kept.key, 0o600);
  writeFileAtomically(kept.certificateFile, kept.certificate, 0o644);
  return kept;
}

/** An empty file counts as none: a power failure leaves such a one. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8") || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

export function parsePrivateKey(path: string, text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch (error) {
    throw damaged(path, "private key", error);
  }
}

function parseCertificates(path: string, text: string): Certificate[] {
  try {
    const found = readCertificates(text);
    if (found.length > 0) return found;
  } catch (error) {
    throw damaged(path, "certificate", error);
  }
  throw damaged(path, "certificate");
}

export const damaged = (path: string, what: string, cause?: unknown): Error =>
  new Error(
    `${path} holds no ${what} that can be read${cause instanceof Error ? ` (${cause.message})` : ""}. Put a backup in its place, or remove the file and what was made from it.`,
    { cause },
  );
