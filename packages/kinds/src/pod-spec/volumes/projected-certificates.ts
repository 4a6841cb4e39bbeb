import type { DeepReadonly } from "@coxswain/api";
import type { ClusterTrustBundleProjection, PodCertificateProjection } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
  tooLong,
} from "@coxswain/apimachinery/field";
import { ownEntries } from "@coxswain/apimachinery/own";
import {
  annotationsMaxBytes,
  utf8Length,
  validateDomainPrefixedKey,
  validateLabelSelector,
} from "@coxswain/apimachinery/validation";
import { internalValue } from "../../internal-form/internal-form.js";
import { checkLocalPath } from "../paths.js";
import { checkSignerName, checkTrustBundleName, isKubernetesSigner } from "./signer-name.js";
import { claimPath, type TargetPaths } from "./target-paths.js";

export function checkTrustBundle(
  source: DeepReadonly<ClusterTrustBundleProjection>,
  path: FieldPath,
  targets: TargetPaths,
): FieldError[] {
  const errors = checkTrustBundleChoice(source, path);
  if (source.path === "") errors.push(required(path.child("path")));
  append(errors, [...checkLocalPath(source.path, path.child("path")), ...claimPath(targets, source.path)]);
  return errors;
}

function checkTrustBundleChoice(source: DeepReadonly<ClusterTrustBundleProjection>, path: FieldPath): FieldError[] {
  const { name, signerName, labelSelector } = source;
  if (name !== undefined && signerName !== undefined) {
    return [
      invalid(
        path,
        internalValue("ClusterTrustBundleProjection", source),
        "only one of name and signerName may be used",
      ),
    ];
  }
  if (name !== undefined) {
    const errors = name === "" ? [required(path.child("name"), "must be a valid object name")] : [];
    append(
      errors,
      checkTrustBundleName(name).map((problem) =>
        invalid(path.child("name"), name, `not a valid clustertrustbundlename: ${problem}`),
      ),
    );
    if (labelSelector)
      errors.push(
        invalid(path.child("labelSelector"), labelSelector, "labelSelector must be unset if name is specified"),
      );
    return errors;
  }
  if (signerName === undefined) return [required(path, "either name or signerName must be specified")];
  return [
    ...(signerName === "" ? [required(path.child("signerName"), "must be a valid signer name")] : []),
    ...checkSignerName(signerName, path.child("signerName")),
    ...validateLabelSelector(labelSelector, path.child("labelSelector")),
  ];
}

const keyTypes = ["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"];
const hour = 60 * 60;
const shortestLife = hour;
const longestLife = 91 * 24 * hour;
/** Kubernetes' own signers issue for a day at most. */
const longestKubernetesLife = 24 * hour;

export function checkPodCertificate(
  source: DeepReadonly<PodCertificateProjection>,
  path: FieldPath,
  targets: TargetPaths,
): FieldError[] {
  const errors = checkSignerName(source.signerName ?? "", path.child("signerName"));
  append(errors, checkUserAnnotations(source.userAnnotations, path.child("userAnnotations")));
  const { keyType = "", maxExpirationSeconds: life } = source;
  if (!keyTypes.includes(keyType)) errors.push(notSupported(path.child("keyType"), keyType, keyTypes));
  if (life !== undefined) {
    const at = path.child("maxExpirationSeconds");
    const longest = isKubernetesSigner(source.signerName ?? "") ? longestKubernetesLife : longestLife;
    if (life < shortestLife)
      errors.push(invalid(at, life, `if provided, maxExpirationSeconds must be >= ${shortestLife}`));
    if (life > longest) errors.push(invalid(at, life, `if provided, maxExpirationSeconds must be <= ${longest}`));
  }
  const written = (["credentialBundlePath", "keyPath", "certificateChainPath"] as const).filter(
    (member) => source[member],
  );
  for (const member of written) {
    const target = source[member] ?? "";
    append(errors, [...checkLocalPath(target, path.child(member)), ...claimPath(targets, target)]);
  }
  if (written.length === 0)
    errors.push(required(path, "specify at least one of credentialBundlePath, keyPath, and certificateChainPath"));
  return errors;
}

function checkUserAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of ownEntries(annotations)) {
    append(errors, validateDomainPrefixedKey(key.toLowerCase(), path));
    size += utf8Length(key) + utf8Length(value);
  }
  if (size > annotationsMaxBytes) errors.push(tooLong(path, annotationsMaxBytes));
  return errors;
}
