import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceConversion, CustomResourceDefinitionSpec } from "@coxswain/api/apiextensions/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbidden,
  invalid,
  namedText,
  notSupported,
  required,
} from "@coxswain/apimachinery/field";
import { checkDns1035Label, checkDnsSubdomain } from "@coxswain/apimachinery/validation";
import type { Steps } from "@coxswain/runtime/steps";
import { checkCaBundle } from "../../checks/ca-bundle.js";
import { problemsAt } from "../../checks/field-errors.js";
import { repeatedPositions } from "../../checks/repeated-positions.js";
import { checkWebhookService, checkWebhookUrl } from "../../checks/webhook-client.js";
import type { DefinitionRules } from "./definition-rules.js";
import { hoist, schemasOf, type VersionSpec } from "./hoisted-spec.js";
import { checkLabel, checkNames } from "./names-validation.js";
import { reviewVersions, rulesForVersion } from "./rules.js";
import { printedVersions } from "./schema/printed-schema.js";
import { checkSchema } from "./schema/schema-validation.js";
import { hasSchema } from "./schema/schema-walk.js";
import { checkColumns, checkDeprecation, checkSelectableFields, checkSubresources } from "./version-validation.js";

type Spec = DeepReadonly<CustomResourceDefinitionSpec>;

const path = fieldPath("spec");

export function* checkSpec(spec: Spec, given: DefinitionRules): Steps<FieldError[]> {
  const { common, versions } = hoist(spec);
  const rules = { ...given, structural: given.structural || needsStructure(spec) };
  const hasDefaults = schemasOf(spec).some((schema) => hasSchema(schema, ({ default: value }) => value !== undefined));
  const perVersion = versions.some(({ subresources }) => subresources);
  const anyStatus = [common, ...versions].some(({ subresources }) => subresources?.status);
  const ofVersions: FieldError[] = [];
  for (const [at, version] of versions.entries()) {
    const hasStatus = Boolean((perVersion ? version : common).subresources?.status);
    append(ofVersions, yield* checkVersion(version, path.child("versions").index(at), hasStatus, rules));
  }
  const ofCommon = common.schema
    ? yield* checkSchema(common.schema, path.child("validation"), anyStatus, rulesForVersion(rules, versions[0]?.name))
    : [];
  return [
    ...checkGroup(spec.group),
    ...checkChoice(spec.scope, ["Cluster", "Namespaced"], path.child("scope")),
    ...checkSchemasAreThere(spec, common.schema, versions, rules),
    ...(hasDefaults && spec.preserveUnknownFields
      ? [invalid(path.child("preserveUnknownFields"), true, "must be false in order to use defaults in the schema")]
      : []),
    ...ofVersions,
    ...checkVersionList(versions, spec.versions),
    ...checkSpecNames(spec.names),
    ...ofCommon,
    ...checkSubresources(common.subresources, path.child("subresources")),
    ...checkColumns(common.additionalPrinterColumns, path.child("additionalPrinterColumns")),
    ...checkCommonFields(common, rules),
    ...(spec.conversion && spec.conversion.strategy !== "None" && spec.preserveUnknownFields
      ? [
          invalid(
            path.child("conversion", "strategy"),
            namedText(spec.conversion.strategy),
            "must be None if spec.preserveUnknownFields is true",
          ),
        ]
      : []),
    ...(spec.conversion ? checkConversion(spec.conversion, path.child("conversion"), rules) : []),
  ];
}

/** Unknown members can only be dropped, and defaults set, by a schema that types every value. */
const needsStructure = (spec: Spec): boolean =>
  !spec.preserveUnknownFields ||
  schemasOf(spec).some((schema) => hasSchema(schema, (one) => one.default !== undefined || hasExtensions(one)));

const extensions = [
  "x-kubernetes-embedded-resource",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-list-type",
  "x-kubernetes-validations",
];
const hasExtensions = (schema: object): boolean => extensions.some((member) => Object.hasOwn(schema, member));

function checkGroup(group: string): FieldError[] {
  if (group === "") return [required(path.child("group"))];
  const problems = checkDnsSubdomain(group);
  if (problems.length > 0) return [invalid(path.child("group"), group, problems.join(","))];
  return group.includes(".") ? [] : [invalid(path.child("group"), group, "should be a domain with at least one dot")];
}

function checkChoice(value: string, accepted: readonly string[], at: FieldPath): FieldError[] {
  if (value === "") return [required(at)];
  return accepted.includes(value) ? [] : [notSupported(at, value, accepted)];
}

function checkSchemasAreThere(
  { preserveUnknownFields }: Spec,
  common: VersionSpec["schema"],
  versions: readonly VersionSpec[],
  { schemaInEveryVersion }: DefinitionRules,
): FieldError[] {
  if (common?.openAPIV3Schema || (!schemaInEveryVersion && preserveUnknownFields)) return [];
  const detail = schemaInEveryVersion ? undefined : "because otherwise all fields are pruned";
  return versions.flatMap(({ served, schema }, at) =>
    schema?.openAPIV3Schema || (!schemaInEveryVersion && !served)
      ? []
      : [required(path.child("versions").index(at).child("schema", "openAPIV3Schema"), detail)],
  );
}

function* checkVersion(
  version: VersionSpec,
  at: FieldPath,
  hasStatus: boolean,
  rules: DefinitionRules,
): Steps<FieldError[]> {
  const { name, schema, selectableFields = [] } = version;
  const fields = at.child("selectableFields");
  return [
    ...checkLabel(name, at.child("name")),
    ...checkDeprecation(version, at.child("deprecationWarning")),
    ...(schema ? yield* checkSchema(schema, at.child("schema"), hasStatus, rulesForVersion(rules, name)) : []),
    ...checkSubresources(version.subresources, at.child("subresources")),
    ...checkColumns(version.additionalPrinterColumns, at.child("additionalPrinterColumns")),
    ...(selectableFields.length === 0
      ? []
      : schema?.openAPIV3Schema
        ? checkSelectableFields(
            selectableFields,
            schema.openAPIV3Schema,
            fields,
            at.child("schema.openAPIV3Schema"),
            rules.manyFields.has(name),
          )
        : [invalid(fields, "", "may only be set when `version.schema.openAPIV3Schema` is not included")]),
  ];
}

function checkCommonFields(
  { selectableFields = [], schema }: Partial<VersionSpec>,
  { manyFields }: DefinitionRules,
): FieldError[] {
  if (selectableFields.length === 0) return [];
  const fields = path.child("selectableFields");
  if (!schema) return [invalid(fields, "", "may only be set when validations.schema is included")];
  return checkSelectableFields(
    selectableFields,
    schema.openAPIV3Schema,
    fields,
    path.child("schema.openAPIV3Schema"),
    manyFields.has(""),
  );
}

/** `given`: the list before anything was moved, which is none or empty as the client sent it. */
function checkVersionList(
  versions: readonly VersionSpec[],
  given: readonly unknown[] | null | undefined,
): FieldError[] {
  const at = path.child("versions");
  const errors: FieldError[] = [];
  if (new Set(versions.map(({ name }) => name)).size < versions.length)
    errors.push(invalid(at, given ? printedVersions(versions) : null, "must contain unique version names"));
  if (versions.filter(({ storage }) => storage).length !== 1)
    errors.push(
      invalid(at, given ? printedVersions(versions) : null, "must have exactly one version marked as storage version"),
    );
  return [...errors, ...checkLabel(versions[0]?.name || undefined, path.child("version"))];
}

function checkSpecNames(names: Spec["names"]): FieldError[] {
  const at = path.child("names");
  const missing = (["plural", "singular", "kind", "listKind"] as const).filter((member) => !names[member]);
  return [...missing.map((member) => required(at.child(member))), ...checkNames(names, at)];
}

function checkConversion(
  { strategy, webhook }: DeepReadonly<CustomResourceConversion>,
  at: FieldPath,
  rules: DefinitionRules,
): FieldError[] {
  const errors = checkChoice(strategy, ["None", "Webhook"], at.child("strategy"));
  const client = at.child("webhookClientConfig");
  const reviews = webhook?.conversionReviewVersions ?? [];
  if (strategy !== "Webhook") {
    const detail = "should not be set when strategy is not set to Webhook";
    if (webhook?.clientConfig) errors.push(forbidden(client, detail));
    if (reviews.length > 0) errors.push(forbidden(at.child("conversionReviewVersions"), detail));
    return errors;
  }
  const { url, service, caBundle } = webhook?.clientConfig ?? {};
  if (!webhook?.clientConfig) errors.push(required(client, "required when strategy is set to Webhook"));
  else if ((url === undefined) === (service === undefined))
    errors.push(required(client, "exactly one of url or service is required"));
  else if (url !== undefined) append(errors, checkWebhookUrl(url, client.child("url")));
  // Upstream mixes the two up, so that a missing name is reported as a missing namespace.
  else if (service)
    append(
      errors,
      checkWebhookService(
        { name: service.namespace, namespace: service.name, path: service.path, port: service.port ?? 0 },
        client.child("service"),
      ),
    );
  if (caBundle && rules.certificates) append(errors, checkCaBundle(caBundle, client.child("caBundle")));
  return [...errors, ...checkReviewVersions(reviews, at.child("conversionReviewVersions"), rules)];
}

function checkReviewVersions(
  versions: readonly string[],
  at: FieldPath,
  { knownReviewVersion }: DefinitionRules,
): FieldError[] {
  if (versions.length === 0) return [required(at)];
  const repeated = repeatedPositions(versions);
  const errors = versions.flatMap((version, index) =>
    repeated.has(index)
      ? [invalid(at.index(index), version, "duplicate version")]
      : problemsAt(at.index(index), version, checkDns1035Label(version)),
  );
  if (knownReviewVersion && !versions.some((version) => reviewVersions.includes(version)))
    errors.push(invalid(at, versions, `must include at least one of ${reviewVersions.join(", ")}`));
  return errors;
}
