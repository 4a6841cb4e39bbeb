import { renameSync } from "node:fs";
import { join } from "node:path";
import { type Certificate, createAuthority, encodePem, encodePrivateKey, hasKey } from "@coxswain/wire/x509";
import { writeFileAtomically } from "../files/index.js";
import { validityFrom } from "./authority.js";
import type { CertificateOptions } from "./certificate-options.js";
import { readIdentity, readIfThere } from "./identity-files.js";

/**
 * An authority is replaced by overlap, in three steps between which servers and clients get the files:
 *
 *   begin    a second certificate is trusted; its key waits in `<name>-next.key`
 *   switch   that key signs from now on; both are trusted
 *   finish   the first one is no longer trusted
 *
 * Each step ends with one atomic write, so that a process that ends in the middle leaves the stage before or the one behind it.
 */
export type RotationStage = "not-begun" | "begun" | "switched";

/** @throws Error when there is no authority in these files */
export function rotationStage(folder: string, name: string): RotationStage {
  const { bundle, privateKey, certificate, kept } = readIdentity(folder, name);
  if (!privateKey || !certificate) throw new Error(`${kept.certificateFile} or its key is missing`);
  if (bundle.length === 1) return "not-begun";
  return hasKey(certificate, privateKey) ? "begun" : "switched";
}

export function beginRotation(folder: string, name: string, options: CertificateOptions): void {
  expectStage(folder, name, "not-begun", "a rotation is under way already: go on with `switch` or `finish`");
  const { certificate, kept } = readIdentity(folder, name);
  const { commonName = name } = (certificate as Certificate).subject;
  const next = createAuthority({
    ...validityFrom(options.clock.now()),
    subject: { commonName },
    random: options.random,
  });
  writeFileAtomically(nextKeyFile(folder, name), encodePrivateKey(next.privateKey), 0o600);
  writeFileAtomically(kept.certificateFile, `${kept.certificate.trimEnd()}\n${next.pem}`, 0o644);
}

export function switchAuthority(folder: string, name: string): void {
  expectStage(folder, name, "begun", "there is no second authority to switch to: call `begin` first");
  const file = nextKeyFile(folder, name);
  if (readIfThere(file) === undefined) throw new Error(`${file} is missing: call \`abandon\`, then begin again`);
  renameSync(file, join(folder, `${name}.key`));
}

export function finishRotation(folder: string, name: string): void {
  expectStage(folder, name, "switched", "the new authority does not sign yet: call `begin` and `switch` first");
  keepSigning(folder, name);
}

/** Back from `begun`: the second authority has signed nothing. */
export function abandonRotation(folder: string, name: string): void {
  expectStage(folder, name, "begun", "only a rotation that has begun, and has not switched, can be abandoned");
  keepSigning(folder, name);
}

function keepSigning(folder: string, name: string): void {
  const { bundle, privateKey, kept } = readIdentity(folder, name);
  const signing = bundle.find((each) => privateKey && hasKey(each, privateKey));
  if (!signing) throw new Error(`none of the certificates in ${kept.certificateFile} has the key ${kept.keyFile}`);
  writeFileAtomically(kept.certificateFile, encodePem("CERTIFICATE", signing.der), 0o644);
}

function expectStage(folder: string, name: string, expected: RotationStage, otherwise: string): void {
  const stage = rotationStage(folder, name);
  if (stage !== expected) throw new Error(`${join(folder, `${name}.crt`)}: ${otherwise}`);
}

const nextKeyFile = (folder: string, name: string): string => join(folder, `${name}-next.key`);
