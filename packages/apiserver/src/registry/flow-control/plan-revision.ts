import type { FlowSchema, FlowSchemaCondition } from "@coxswain/api/flowcontrol/v1";
import { cloneJson, equalJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn, setOwn } from "@coxswain/apimachinery/own";
import { formatTime } from "@coxswain/apimachinery/time";

/** "true": the server brings the spec up to date. A user who changes the spec sets "false" to keep it. */
export const autoUpdate = "apf.kubernetes.io/autoupdate-spec";

/** No request could be classified without them: nobody may change them. */
export const mandatoryNames: ReadonlySet<string> = new Set(["exempt", "catch-all"]);

type LevelSpec = { readonly exempt?: unknown } | undefined;
type WithSpec = KubernetesObject & { spec?: LevelSpec };

/** Pure: what an object of the server's own should become; undefined: it is as it should be. */
export function planRevision(current: WithSpec, wanted: WithSpec): KubernetesObject | undefined {
  const annotated = autoUpdateOf(current);
  // Without a word about it, an object that nobody has changed since it was made is the server's.
  const updates = mandatoryNames.has(current.metadata.name ?? "") || (annotated ?? current.metadata.generation === 1);
  const isStale = updates && !equalJson(current.spec, withOwnShare(wanted.spec, current.spec));
  if (!isStale && annotated === updates) return undefined;
  const next = cloneJson(current) as WithSpec;
  if (isStale) next.spec = cloneJson(wanted.spec);
  setOwn((next.metadata.annotations ??= {}), autoUpdate, String(updates));
  return next;
}

/** How many seats the exempt level lends is the operators' choice; all else about it is fixed. */
const withOwnShare = (wanted: LevelSpec, current: LevelSpec): LevelSpec =>
  wanted?.exempt && current?.exempt ? { ...wanted, exempt: current.exempt } : wanted;

/** Objects that are annotated as the server's own, and that it does not want any more, are deleted. */
export const isLeftOver = (current: KubernetesObject, wanted: ReadonlySet<string>): boolean =>
  !wanted.has(current.metadata.name ?? "") && autoUpdateOf(current) === true;

/** As Go reads a boolean; undefined for anything else. */
function autoUpdateOf({ metadata }: KubernetesObject): boolean | undefined {
  const text = getOwn(metadata.annotations, autoUpdate) ?? "";
  if (["1", "t", "T", "TRUE", "true", "True"].includes(text)) return true;
  return ["0", "f", "F", "FALSE", "false", "False"].includes(text) ? false : undefined;
}

/** Pure: whether the schema's level exists, as a change of its status; undefined: the status has it already. */
export function planDangling(schema: FlowSchema, levelExists: boolean, nowMs: number): FlowSchemaCondition | undefined {
  const level = schema.spec?.priorityLevelConfiguration.name ?? "";
  const wanted = levelExists
    ? {
        status: "False",
        reason: "Found",
        message: `This FlowSchema references the PriorityLevelConfiguration object named "${level}" and it exists`,
      }
    : {
        status: "True",
        reason: "NotFound",
        message: `This FlowSchema references the PriorityLevelConfiguration object named "${level}" but there is no such object`,
      };
  const has = schema.status?.conditions?.find(({ type }) => type === "Dangling");
  if (has?.status === wanted.status && has.reason === wanted.reason && has.message === wanted.message) return undefined;
  return { type: "Dangling", lastTransitionTime: formatTime(nowMs), ...wanted };
}
