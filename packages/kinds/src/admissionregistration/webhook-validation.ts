import type { DeepReadonly } from "@coxswain/api";
import type { WebhookClientConfig } from "@coxswain/api/admissionregistration/v1";
import { append } from "@coxswain/apimachinery/append";
import { duplicate, type FieldError, type FieldPath, fieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import {
  checkDns1035Label,
  validateFullyQualifiedName,
  validateLabelSelector,
} from "@coxswain/apimachinery/validation";
import type { Steps } from "@coxswain/runtime/steps";
import { checkOneOf, problemsAt } from "../checks/field-errors.js";
import { checkPlainMeta } from "../checks/object-meta.js";
import { repeatedPositions } from "../checks/repeated-positions.js";
import { checkWebhookService, checkWebhookUrl } from "../checks/webhook-client.js";
import type { StrategyContext } from "../definition/strategy.js";
import { createExpressionChecks, type ExpressionChecks } from "./expression-checks.js";
import { checkFailurePolicy, checkMatchConditions, checkMatchPolicy } from "./match-validation.js";
import { checkRule } from "./rule-validation.js";
import type { StoredWebhookConfiguration } from "./stored-webhook-configuration.js";

type Configuration = DeepReadonly<StoredWebhookConfiguration>;
type Webhooks = NonNullable<Configuration["webhooks"]>;
type Webhook = Webhooks[number];

/** Rules that came later: an update keeps to them only where the stored object does. */
interface Rules {
  readonly noSideEffects: boolean;
  readonly knownReviewVersion: boolean;
  readonly uniqueNames: boolean;
  readonly validSelectorValues: boolean;
  readonly matchConditions: boolean;
  readonly checks: ExpressionChecks;
}

const reviewVersions = ["v1", "v1beta1"];
const harmless = ["None", "NoneOnDryRun"];
const anySideEffects = ["None", "NoneOnDryRun", "Some", "Unknown"];

export const checkWebhookConfiguration = (
  configuration: Configuration,
  context: Pick<StrategyContext, "admissionCompiler">,
): Steps<FieldError[]> =>
  checkAll(configuration, {
    checks: conditionChecks(context, []),
    noSideEffects: true,
    knownReviewVersion: true,
    uniqueNames: true,
    validSelectorValues: true,
    matchConditions: true,
  });

export function checkWebhookConfigurationUpdate(
  next: Configuration,
  { webhooks: old = [] }: Configuration,
  context: Pick<StrategyContext, "admissionCompiler">,
): Steps<FieldError[]> {
  const { webhooks = [] } = next;
  return checkAll(next, {
    checks: conditionChecks(context, old),
    noSideEffects: old.every(({ sideEffects }) => harmless.includes(sideEffects)),
    knownReviewVersion: old.every(
      ({ admissionReviewVersions }) =>
        !admissionReviewVersions ||
        admissionReviewVersions.length === 0 ||
        admissionReviewVersions.some((version) => reviewVersions.includes(version)),
    ),
    uniqueNames: new Set(old.map(({ name }) => name)).size === old.length,
    validSelectorValues: old.every(
      ({ namespaceSelector, objectSelector }) =>
        validateLabelSelector(namespaceSelector, undefined).length === 0 &&
        validateLabelSelector(objectSelector, undefined).length === 0,
    ),
    matchConditions:
      webhooks.length !== old.length ||
      !webhooks.every(({ matchConditions }, at) => equalJson(matchConditions, old[at]?.matchConditions)),
  });
}

const conditionChecks = (
  { admissionCompiler }: Pick<StrategyContext, "admissionCompiler">,
  old: Webhooks,
): ExpressionChecks =>
  createExpressionChecks(admissionCompiler, {
    params: false,
    withVariables: false,
    stored: {
      matchCondition: new Set(
        old.flatMap(({ matchConditions = [] }) => matchConditions.map(({ expression }) => expression)),
      ),
    },
  });

function* checkAll({ metadata, webhooks = [] }: Configuration, rules: Rules): Steps<FieldError[]> {
  const names = new Set<string>();
  const errors = checkPlainMeta(metadata, { namespaced: false });
  for (const [at, webhook] of webhooks.entries()) {
    const path = fieldPath("webhooks").index(at);
    append(errors, checkWebhook(webhook, path, rules));
    if (rules.matchConditions)
      append(
        errors,
        yield* checkMatchConditions(webhook.matchConditions ?? [], path.child("matchConditions"), rules.checks),
      );
    append(
      errors,
      checkReviewVersions(webhook.admissionReviewVersions ?? [], path.child("admissionReviewVersions"), rules),
    );
    if (rules.uniqueNames && webhook.name !== "" && names.has(webhook.name))
      errors.push(duplicate(path.child("name"), webhook.name));
    names.add(webhook.name);
  }
  return errors;
}

function checkWebhook(webhook: Webhook, path: FieldPath, rules: Rules): FieldError[] {
  const { name, failurePolicy, matchPolicy, timeoutSeconds: timeout, reinvocationPolicy } = webhook;
  const allowInvalidValues = !rules.validSelectorValues;
  return [
    ...validateFullyQualifiedName(name, path.child("name")),
    ...(webhook.rules ?? []).flatMap((rule, at) => checkRule(rule, path.child("rules").index(at))),
    ...(failurePolicy === undefined ? [] : checkFailurePolicy(failurePolicy, path.child("failurePolicy"))),
    ...(matchPolicy === undefined ? [] : checkMatchPolicy(matchPolicy, path.child("matchPolicy"))),
    ...checkSideEffects(webhook.sideEffects, path.child("sideEffects"), rules),
    ...(timeout !== undefined && (timeout > 30 || timeout < 1)
      ? [invalid(path.child("timeoutSeconds"), timeout, "the timeout value must be between 1 and 30 seconds")]
      : []),
    ...validateLabelSelector(webhook.namespaceSelector, path.child("namespaceSelector"), { allowInvalidValues }),
    ...validateLabelSelector(webhook.objectSelector, path.child("objectSelector"), { allowInvalidValues }),
    ...(reinvocationPolicy === undefined
      ? []
      : checkOneOf(reinvocationPolicy, ["IfNeeded", "Never"], path.child("reinvocationPolicy"))),
    ...checkClient(webhook.clientConfig, path.child("clientConfig")),
  ];
}

function checkSideEffects(
  sideEffects: string | null | undefined,
  path: FieldPath,
  { noSideEffects }: Rules,
): readonly FieldError[] {
  const allowed = noSideEffects ? harmless : anySideEffects;
  return typeof sideEffects === "string"
    ? checkOneOf(sideEffects, allowed, path)
    : [required(path, `must specify one of ${allowed.join(", ")}`)];
}

function checkClient({ url, service }: DeepReadonly<WebhookClientConfig>, path: FieldPath): FieldError[] {
  if ((url === undefined) === (service === undefined))
    return [required(path, "exactly one of url or service is required")];
  if (url !== undefined) return checkWebhookUrl(url, path.child("url"));
  // Upstream mixes the two up, so that a missing name is reported as a missing namespace.
  return service
    ? checkWebhookService(
        { name: service.namespace, namespace: service.name, path: service.path, port: service.port ?? 0 },
        path.child("service"),
      )
    : [];
}

function checkReviewVersions(
  versions: readonly string[],
  path: FieldPath,
  { knownReviewVersion }: Rules,
): FieldError[] {
  if (versions.length === 0) return [required(path, `must specify one of ${reviewVersions.join(", ")}`)];
  const repeated = repeatedPositions(versions);
  const errors = versions.flatMap((version, at) =>
    repeated.has(at)
      ? [invalid(path.index(at), version, "duplicate version")]
      : problemsAt(path.index(at), version, checkDns1035Label(version)),
  );
  if (knownReviewVersion && !versions.some((version) => reviewVersions.includes(version)))
    errors.push(invalid(path, versions, `must include at least one of ${reviewVersions.join(", ")}`));
  return errors;
}
