import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "@coxswain/api/admissionregistration/v1";
import type { CustomResourceConversion } from "@coxswain/api/apiextensions/v1";
import type { TypeModule } from "@coxswain/schema-types";
import {
  type CustomKind,
  type Marker,
  markerError,
  markersNamed,
  readArguments,
  splitList,
} from "@coxswain/schema-types";
import { markersOf } from "./rbac.js";

/** Where the operator's webhook server is reached. */
export interface WebhookService {
  readonly name: string;
  readonly namespace: string;
}

export interface GeneratedWebhooks {
  readonly mutating: MutatingWebhookConfiguration | undefined;
  readonly validating: ValidatingWebhookConfiguration | undefined;
  /** Kinds whose versions the operator converts, with what their definitions then contain. */
  readonly conversions: readonly { readonly kind: CustomKind; readonly conversion: CustomResourceConversion }[];
}

const options = [
  "failurePolicy",
  "matchPolicy",
  "sideEffects",
  "timeoutSeconds",
  "reinvocationPolicy",
  "verbs",
  "name",
];
const kindWords = ["defaulting", "validating", "conversion"];

/**
 * Webhook configurations from `@webhook` markers. On a custom resource it names what the operator does for it:
 * `@webhook defaulting validating conversion`; paths and names are those that controller-runtime gives them. Elsewhere it
 * describes a webhook in full: `@webhook mutating path=/inject groups=core versions=v1 resources=pods verbs=create name=inject.example.com`.
 */
export function generateWebhooks(
  kinds: readonly CustomKind[],
  modules: readonly TypeModule[],
  service: WebhookService,
): GeneratedWebhooks {
  const mutating: MutatingWebhook[] = [];
  const validating: MutatingWebhook[] = [];
  const conversions: { kind: CustomKind; conversion: CustomResourceConversion }[] = [];
  const onKinds = new Set(kinds.map(({ declaration, module }) => `${module.path}@${declaration.doc?.offset}`));
  for (const kind of kinds)
    for (const marker of markersNamed(kind, "webhook")) {
      const values = readArguments(marker, [...kindWords, ...options]);
      if (!kindWords.some((word) => values.has(word)))
        throw markerError(marker, `needs one of ${kindWords.join(", ")}`);
      if (values.has("defaulting")) mutating.push(webhookOfKind(kind, "mutate", marker, values, service));
      if (values.has("validating")) validating.push(webhookOfKind(kind, "validate", marker, values, service));
      if (values.has("conversion")) conversions.push({ kind, conversion: conversionBy(service) });
    }
  for (const marker of markersOf(modules, "webhook")) {
    if (onKinds.has(`${marker.place.source.path}@${marker.place.offset}`)) continue;
    const { isMutating, webhook } = webhookInFull(marker, service);
    (isMutating ? mutating : validating).push(webhook);
  }
  const byName = (a: MutatingWebhook, b: MutatingWebhook): number => (a.name < b.name ? -1 : 1);
  const apiVersion = "admissionregistration.k8s.io/v1" as const;
  return {
    mutating:
      mutating.length === 0
        ? undefined
        : {
            apiVersion,
            kind: "MutatingWebhookConfiguration",
            metadata: { name: "mutating-webhook-configuration" },
            webhooks: mutating.sort(byName),
          },
    validating:
      validating.length === 0
        ? undefined
        : {
            apiVersion,
            kind: "ValidatingWebhookConfiguration",
            metadata: { name: "validating-webhook-configuration" },
            webhooks: validating.sort(byName),
          },
    conversions,
  };
}

function webhookOfKind(
  { group, version, kind, names }: CustomKind,
  action: "mutate" | "validate",
  marker: Marker,
  values: ReadonlyMap<string, string>,
  service: WebhookService,
): MutatingWebhook {
  const path = `/${action}-${group.replaceAll(".", "-")}-${version}-${kind.toLowerCase()}`;
  const name = `${action === "mutate" ? "m" : "v"}${kind.toLowerCase()}-${version}.${group}`;
  return makeWebhook(
    marker,
    new Map([["name", name], ...values]),
    { service: { ...service, path } },
    {
      apiGroups: [group],
      apiVersions: [version],
      resources: [names.plural],
    },
  );
}

function webhookInFull(marker: Marker, service: WebhookService): { isMutating: boolean; webhook: MutatingWebhook } {
  const values = readArguments(marker, [
    "mutating",
    "validating",
    "path",
    "url",
    "groups",
    "versions",
    "resources",
    ...options,
  ]);
  const isMutating = values.has("mutating");
  if (isMutating === values.has("validating")) throw markerError(marker, "is either mutating or validating");
  const path = values.get("path");
  const url = values.get("url");
  if ((path === undefined) === (url === undefined)) throw markerError(marker, "needs a path or a url, not both");
  const list = (name: string): string[] => {
    const items = splitList(values.get(name) ?? "");
    if (items.length === 0) throw markerError(marker, `needs ${name}`);
    return items.map((item) => (name === "groups" && item === "core" ? "" : item));
  };
  if (!values.has("name")) throw markerError(marker, "needs a name in the form of a domain name");
  const client = path === undefined ? { url: url! } : { service: { ...service, path } };
  const scope = { apiGroups: list("groups"), apiVersions: list("versions"), resources: list("resources") };
  return { isMutating, webhook: makeWebhook(marker, values, client, scope) };
}

const spellings = {
  failurePolicy: ["Fail", "Ignore"],
  matchPolicy: ["Exact", "Equivalent"],
  sideEffects: ["None", "NoneOnDryRun"],
  reinvocationPolicy: ["Never", "IfNeeded"],
  verbs: ["CREATE", "UPDATE", "DELETE", "CONNECT", "*"],
} as const;
type Option = keyof typeof spellings;

/** An option's value in the API's spelling. */
function choose<O extends Option>(marker: Marker, option: O, value: string): (typeof spellings)[O][number] {
  const allowed: readonly (typeof spellings)[O][number][] = spellings[option];
  const found = allowed.find((spelling) => spelling.toLowerCase() === value.toLowerCase());
  if (found === undefined) throw markerError(marker, `${option} "${value}" is none of ${allowed.join(", ")}`);
  return found;
}

function makeWebhook(
  marker: Marker,
  values: ReadonlyMap<string, string>,
  clientConfig: MutatingWebhook["clientConfig"],
  scope: { apiGroups: string[]; apiVersions: string[]; resources: string[] },
): MutatingWebhook {
  const optional = (option: Option): Record<string, string> =>
    values.has(option) ? { [option]: choose(marker, option, values.get(option)!) } : {};
  const timeout = values.get("timeoutSeconds");
  const verbs = splitList(values.get("verbs") ?? "create,update").map((verb) => choose(marker, "verbs", verb));
  return {
    name: values.get("name")!,
    clientConfig,
    rules: [{ ...scope, operations: verbs }],
    failurePolicy: choose(marker, "failurePolicy", values.get("failurePolicy") ?? "Fail"),
    sideEffects: choose(marker, "sideEffects", values.get("sideEffects") ?? "None"),
    admissionReviewVersions: ["v1"],
    ...optional("matchPolicy"),
    ...optional("reinvocationPolicy"),
    ...(timeout === undefined ? {} : { timeoutSeconds: Number(timeout) }),
  };
}

function conversionBy(service: WebhookService): CustomResourceConversion {
  return {
    strategy: "Webhook",
    webhook: { clientConfig: { service: { ...service, path: "/convert" } }, conversionReviewVersions: ["v1"] },
  };
}
