import type { DeepReadonly } from "@coxswain/api";
import type { PodSpec, Sysctl } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { duplicate, type FieldError, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { utf8Length } from "@coxswain/apimachinery/validation";
import type { PodRules } from "../pod-rules.js";

const segment = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const pattern = `^(${segment}[\\./])*${segment}$`;
const sysctlName = new RegExp(pattern);
const longestName = 253;

type HostSharing = Pick<DeepReadonly<PodSpec>, "hostNetwork" | "hostIPC">;

export function checkSysctls(
  sysctls: readonly DeepReadonly<Sysctl>[],
  path: FieldPath,
  { sharing, rules }: { sharing: HostSharing; rules: Pick<PodRules, "hostSysctls"> },
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { name }] of sysctls.entries()) {
    const at = path.index(i).child("name");
    if (name === "") errors.push(required(at));
    else if (utf8Length(name) > longestName || !sysctlName.test(name))
      errors.push(invalid(at, name, `must have at most ${longestName} characters and match regex ${pattern}`));
    else if (seen.has(name)) errors.push(duplicate(at, name));
    if (!rules.hostSysctls) append(errors, checkHostSysctl(name, sharing, at));
    seen.add(name);
  }
  return errors;
}

const ipcNames = new Set(
  ["sem", "shmall", "shmmax", "shmmni", "shm_rmid_forced", "shm", "msgmax", "msgmnb", "msgmni", "msg"].map(
    (name) => `kernel.${name}`,
  ),
);

/** A sysctl of a namespace that the pod shares with its host would change the host. */
export function checkHostSysctl(
  name: string,
  { hostNetwork, hostIPC }: HostSharing,
  path: FieldPath | undefined,
): FieldError[] {
  const dotted = withDots(name).split("*", 1)[0] ?? "";
  if (dotted.startsWith("net."))
    return hostNetwork ? [invalid(path, name, "may not be specified when 'hostNetwork' is true")] : [];
  const isIpc = ipcNames.has(dotted) || dotted.startsWith("fs.mqueue.");
  return isIpc && hostIPC ? [invalid(path, name, "may not be specified when 'hostIPC' is true")] : [];
}

/** `net/ipv4/conf/eno2.100/rp_filter` is another way to write `net.ipv4.conf.eno2/100.rp_filter`. */
function withDots(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  return first === "/" ? name.replace(/[./]/g, (separator) => (separator === "/" ? "." : "/")) : name;
}
