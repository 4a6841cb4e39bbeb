import type { DeepReadonly } from "@coxswain/api";
import type { HorizontalPodAutoscalerCondition, MetricSpec, MetricStatus } from "@coxswain/api/autoscaling/v1";
import type { HorizontalPodAutoscalerBehavior, HPAScalingRules } from "@coxswain/api/autoscaling/v2";
import { builtInTypes } from "@coxswain/api/tables";
import { DecodeError, stringifyJson, walk } from "@coxswain/apimachinery/json";
import type { SchemaNode } from "@coxswain/apimachinery/schema";

interface Types {
  readonly MetricSpec: MetricSpec;
  readonly MetricStatus: MetricStatus;
  readonly HorizontalPodAutoscalerCondition: HorizontalPodAutoscalerCondition;
}

/** The list in an annotation; undefined where there is none, or it cannot be read. */
export function readAnnotation<Name extends keyof Types>(
  text: string | undefined,
  type: Name,
): Types[Name][] | undefined {
  const value = parsed(text);
  if (value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const items = value.map((item) => typed(item ?? {}, builtInTypes.get(`io.k8s.api.autoscaling.v1.${type}`)));
  return items.includes(undefined) ? undefined : (items as Types[Name][]);
}

export function writtenAnnotation<Name extends keyof Types>(
  items: readonly DeepReadonly<Types[Name]>[],
  type: Name,
): string {
  const node = builtInTypes.get(`io.k8s.api.autoscaling.v1.${type}`);
  return stringifyJson(items.map((item) => walk(item, node)));
}

/** Undefined as well where it has rules neither for scaling up nor for scaling down. */
export function readBehavior(text: string | undefined): HorizontalPodAutoscalerBehavior | undefined {
  const value = parsed(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const behavior = typed(value, builtInTypes.get("io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerBehavior")) as
    | HorizontalPodAutoscalerBehavior
    | undefined;
  return behavior?.scaleUp || behavior?.scaleDown ? behavior : undefined;
}

/** Alone of all it is written with Go's names. */
export const behaviorText = ({ scaleUp, scaleDown }: DeepReadonly<HorizontalPodAutoscalerBehavior>): string =>
  stringifyJson({ ScaleUp: rulesForm(scaleUp), ScaleDown: rulesForm(scaleDown) });

const rulesForm = (rules: DeepReadonly<HPAScalingRules> | undefined): unknown =>
  rules
    ? {
        StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
        SelectPolicy: rules.selectPolicy ?? null,
        Policies:
          rules.policies?.map(({ type = "", value = 0, periodSeconds = 0 }) => ({
            Type: type,
            Value: value,
            PeriodSeconds: periodSeconds,
          })) ?? null,
        Tolerance: rules.tolerance ?? null,
      }
    : null;

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function typed(value: unknown, node: SchemaNode): unknown {
  try {
    return walk(withTableNames(value, node), node);
  } catch (err) {
    if (err instanceof DecodeError) return undefined;
    throw err;
  }
}

/** Upstream reads these texts without regard to the case of names. */
function withTableNames(value: unknown, node: SchemaNode): unknown {
  if (Array.isArray(value)) return value.map((item) => (node.element ? withTableNames(item, node.element) : item));
  if (typeof value !== "object" || value === null || node.fields.length === 0) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const field = node.byName.get(name) ?? node.fields.find((one) => one.name.toLowerCase() === name.toLowerCase());
    return field ? ([field.name, withTableNames(member, field.type)] as const) : ([name, member] as const);
  });
  return Object.fromEntries(members);
}
