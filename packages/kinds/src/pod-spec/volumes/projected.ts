import type { DeepReadonly } from "@coxswain/api";
import type {
  DownwardAPIProjection,
  KeyToPath,
  ProjectedVolumeSource,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, forbidden, invalid, required } from "@coxswain/apimachinery/field";
import { checkPresent } from "../../checks/field-errors.js";
import { checkLocalPath } from "../paths.js";
import type { PodRules } from "../pod-rules.js";
import { checkDownwardApiFile, checkKeyToPath } from "./configuration.js";
import { checkFileMode } from "./file-mode.js";
import { checkPodCertificate, checkTrustBundle } from "./projected-certificates.js";
import { claimPath, type TargetPaths } from "./target-paths.js";

export function checkProjectedVolume(
  { defaultMode, sources }: DeepReadonly<ProjectedVolumeSource>,
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  const errors = checkFileMode(defaultMode, path.child("defaultMode"));
  const targets: TargetPaths = { volume: path, taken: new Set() };
  for (const [i, source] of (sources ?? []).entries())
    append(errors, checkSource(source, { path: path.child("sources").index(i), targets, rules }));
  return errors;
}

interface Surroundings {
  readonly path: FieldPath;
  readonly targets: TargetPaths;
  readonly rules: PodRules;
}

function checkSource(source: DeepReadonly<VolumeProjection>, { path, targets, rules }: Surroundings): FieldError[] {
  const errors: FieldError[] = [];
  const { secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = source;
  if (secret) append(errors, checkNamedSource(secret, path.child("secret"), targets));
  if (configMap) append(errors, checkNamedSource(configMap, path.child("configMap"), targets));
  if (downwardAPI) append(errors, checkDownwardApi(downwardAPI, path.child("downwardAPI"), targets));
  if (serviceAccountToken)
    append(
      errors,
      checkToken(serviceAccountToken, path.child("serviceAccountToken"), { volume: targets.volume, rules }),
    );
  if (clusterTrustBundle)
    append(errors, checkTrustBundle(clusterTrustBundle, path.child("clusterTrustBundle"), targets));
  if (podCertificate) append(errors, checkPodCertificate(podCertificate, path.child("podCertificate"), targets));
  const count = [secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate].filter(
    (kind) => kind !== undefined,
  ).length;
  if (count > 1) errors.push(forbidden(path, "may not specify more than 1 volume type per source"));
  return errors;
}

function checkNamedSource(
  { name = "", items }: { readonly name?: string; readonly items?: readonly DeepReadonly<KeyToPath>[] },
  path: FieldPath,
  targets: TargetPaths,
): FieldError[] {
  const errors = [...checkPresent(name, path, "name")];
  for (const [i, item] of (items ?? []).entries()) {
    append(errors, checkKeyToPath(item, path.child("items").index(i)));
    if (item.path !== "") append(errors, claimPath(targets, item.path, name));
  }
  return errors;
}

function checkDownwardApi(
  { items = [] }: DeepReadonly<DownwardAPIProjection>,
  path: FieldPath,
  targets: TargetPaths,
): FieldError[] {
  return items.flatMap((item) => [
    ...checkDownwardApiFile(item, path),
    ...(item.path === "" ? [] : claimPath(targets, item.path)),
  ]);
}

/** The path of a token is reported at the volume, not at its source. */
function checkToken(
  { expirationSeconds = 0, path: target }: DeepReadonly<ServiceAccountTokenProjection>,
  path: FieldPath,
  { volume, rules }: { volume: FieldPath; rules: PodRules },
): FieldError[] {
  const errors: FieldError[] = [];
  if (expirationSeconds < 600)
    errors.push(
      invalid(path.child("expirationSeconds"), expirationSeconds, "may not specify a duration less than 10 minutes"),
    );
  if (expirationSeconds > 2 ** 32)
    errors.push(
      invalid(
        path.child("expirationSeconds"),
        expirationSeconds,
        "may not specify a duration larger than 2^32 seconds",
      ),
    );
  if (target === "") errors.push(required(volume.child("path")));
  else if (!rules.nonLocalTokenPaths) append(errors, checkLocalPath(target, volume.child("path")));
  return errors;
}
