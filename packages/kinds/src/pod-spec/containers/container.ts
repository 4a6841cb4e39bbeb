import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { checkDnsLabelAt, checkRequiredOneOf } from "../../checks/field-errors.js";
import { isPadded } from "../paths.js";
import { checkContainerResources } from "../resources/requirements.js";
import { checkSecurityContext } from "../security/container-context.js";
import type { SpecFacts } from "../spec-facts.js";
import type { AnyContainer } from "../visit-containers.js";
import { checkEnv, checkEnvFrom } from "./env.js";
import { checkPorts } from "./ports.js";
import { checkPullPolicy } from "./pull-policy.js";
import { checkResizePolicy } from "./resize-policy.js";
import { checkVolumeDevices } from "./volume-devices.js";
import { checkVolumeMounts } from "./volume-mounts.js";

/** What holds for every container: regular, init or ephemeral. */
export function checkContainer(container: AnyContainer, path: FieldPath, facts: SpecFacts): FieldError[] {
  const { name, image = "", ports, env, envFrom, resizePolicy, resources, securityContext } = container;
  const errors: FieldError[] =
    name === "" ? [required(path.child("name"))] : [...checkDnsLabelAt(name, path.child("name"))];
  if (image === "") errors.push(required(path.child("image")));
  append(
    errors,
    checkRequiredOneOf(
      container.terminationMessagePolicy,
      ["File", "FallbackToLogsOnError"],
      path.child("terminationMessagePolicy"),
    ),
  );
  if (ports) append(errors, checkPorts(ports, path.child("ports")));
  if (env) append(errors, checkEnv(env, path.child("env"), facts.rules));
  if (envFrom) append(errors, checkEnvFrom(envFrom, path.child("envFrom")));
  append(errors, checkVolumeMounts(container, path.child("volumeMounts"), facts));
  append(errors, checkVolumeDevices(container, path.child("volumeDevices"), facts));
  append(errors, checkPullPolicy(container.imagePullPolicy, path.child("imagePullPolicy")));
  if (resources) append(errors, checkContainerResources(resources, path.child("resources"), facts));
  if (resizePolicy) append(errors, checkResizePolicy(resizePolicy, path.child("resizePolicy"), facts.restartPolicy));
  if (securityContext) append(errors, checkSecurityContext(securityContext, path.child("securityContext"), facts));
  return errors;
}

/** Only in a pod: templates with such an image were let through for too long. */
export const checkImageOfPod = ({ image = "" }: AnyContainer, path: FieldPath): FieldError[] =>
  isPadded(image) ? [invalid(path.child("image"), image, "must not have leading or trailing whitespace")] : [];
