import { type FieldError, fieldErrorsText, fieldPath, invalid, notSupported } from "@coxswain/apimachinery/field";
import type { PluginConfiguration } from "../configuration/plugin-configuration.js";
import { readConfiguration } from "../configuration/read-configuration.js";

const types = ["Namespace", "Server", "SourceAndObject", "User"] as const;

/** One bucket for each of what the type names; `qps` flow in each second up to `burst`. */
export interface Limit {
  readonly type: (typeof types)[number];
  readonly qps: number;
  readonly burst: number;
  /** How many buckets are remembered. @default 4096 */
  readonly cacheSize?: number;
}

/** Without limits the plugin makes no sense: it does not start. */
export function readEventLimits(configuration: PluginConfiguration | undefined): Limit[] {
  const { limits = [] } = configuration
    ? readConfiguration<{ limits: Limit[] }>(configuration, {
        "eventratelimit.admission.k8s.io/v1alpha1": "Configuration",
      })
    : {};
  const path = fieldPath("limits");
  const problems: FieldError[] = limits.length === 0 ? [invalid(path, [], "must not be empty")] : [];
  for (const [i, { type, burst, qps, cacheSize = 0 }] of limits.entries()) {
    const at = path.index(i);
    if (!types.includes(type)) problems.push(notSupported(at.child("type"), type ?? "", types));
    if (!(burst > 0)) problems.push(invalid(at.child("burst"), burst ?? 0, "must be positive"));
    if (!(qps > 0)) problems.push(invalid(at.child("qps"), qps ?? 0, "must be positive"));
    if (type !== "Server" && cacheSize < 0)
      problems.push(invalid(at.child("cacheSize"), cacheSize, "must not be negative"));
  }
  const text = fieldErrorsText(problems);
  if (text !== undefined) throw new Error(text);
  return limits;
}
