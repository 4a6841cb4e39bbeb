import type { SELinuxOptions } from "@coxswain/api/core/v1";
import { type Check, type CheckPod, containersOf, plural, quoted, setters, sorted } from "./check.js";

const types = ["", "container_t", "container_init_t", "container_kvm_t"];

const allowing =
  (allowed: readonly string[]): CheckPod =>
  (pod) => {
    const isBad = (options: Readonly<SELinuxOptions> | undefined): options is SELinuxOptions =>
      options !== undefined && (!allowed.includes(options.type ?? "") || !!options.user || !!options.role);
    const own = pod.spec.securityContext?.seLinuxOptions;
    const bad = containersOf(pod).filter(({ securityContext }) => isBad(securityContext?.seLinuxOptions));
    const who = setters(
      isBad(own),
      bad.map(({ name }) => name),
    );
    if (who.length === 0) return undefined;
    const all = [own, ...bad.map(({ securityContext }) => securityContext?.seLinuxOptions)].filter(isBad);
    const wrong = sorted(all.map(({ type = "" }) => type).filter((type) => !allowed.includes(type)));
    const what = [
      ...(wrong.length > 0 ? [`${plural("type", "types", wrong.length)} ${quoted(wrong)}`] : []),
      ...(all.some(({ user }) => user) ? ["user may not be set"] : []),
      ...(all.some(({ role }) => role) ? ["role may not be set"] : []),
    ];
    return {
      reason: "seLinuxOptions",
      detail: `${who.join(" and ")} set forbidden securityContext.seLinuxOptions: ${what.join("; ")}`,
    };
  };

export const seLinuxOptions: Check = {
  id: "seLinuxOptions",
  level: "baseline",
  versions: [
    { from: 0, check: allowing(types) },
    { from: 31, check: allowing([...types, "container_engine_t"]) },
  ],
};
