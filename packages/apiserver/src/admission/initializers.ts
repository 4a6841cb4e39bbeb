import type { Initialized, InitializerConfiguration, Initializers } from "@coxswain/api/initializers";
import { type FieldError, fieldPath, invalid as invalidField } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { invalid } from "@coxswain/apimachinery/status";
import type { Authorizer } from "../authorization/attributes.js";
import type { CacheFeed } from "../cache/cache-feed.js";
import { createLister } from "../cache/lister.js";
import { collectionPrefix } from "../cache/object-key.js";
import { type Catalogue, perGeneration } from "../catalogue/catalogue.js";
import type { AdmissionAttributes, AdmissionPlugin } from "./admission.js";
import { forbid } from "./forbid.js";

export interface InitializerDeps {
  readonly feed: CacheFeed;
  readonly catalogue: Pick<Catalogue, "generation" | "kinds">;
  readonly authorizer: Authorizer;
}

const path = fieldPath("metadata", "initializers");
const mirrorAnnotation = "kubernetes.io/config.mirror";

/** Gives new objects the initializers that InitializerConfigurations name, and keeps others from touching them meanwhile (Kubernetes 1.7 to 1.13). */
export function createInitializers({ feed, catalogue, authorizer }: InitializerDeps): AdmissionPlugin {
  const kind = perGeneration(catalogue, () =>
    catalogue
      .kinds()
      .find((each) => each.kind === "InitializerConfiguration" && each.group === "admissionregistration.k8s.io"),
  );

  /** In the order of the configurations' names, each name once. */
  function namesFor({ kind: { group, version, resource } }: AdmissionAttributes): string[] {
    const found = kind();
    if (!found) return [];
    const configurations = createLister<InitializerConfiguration>(feed.cacheOf(found)).list(
      collectionPrefix(found, ""),
    );
    const names = [...configurations].flatMap(({ initializers = [] }) =>
      initializers.filter(({ rules = [] }) => matches(rules, { group, version, resource })).map(({ name }) => name),
    );
    return [...new Set(names)];
  }

  async function checkAllowed(attributes: AdmissionAttributes, why: string): Promise<void> {
    const { kind: of, user, namespace, name } = attributes;
    const { decision, reason } = await authorizer({
      user,
      verb: "initialize",
      isResource: true,
      path: "",
      namespace,
      group: of.group,
      version: of.version,
      resource: of.resource,
      subresource: "",
      name,
    });
    if (decision !== "allow") throw forbid(attributes, `${why}: ${reason}`);
  }

  async function admitNew(attributes: AdmissionAttributes): Promise<void> {
    const { metadata, kind: kindName } = attributes.object as Initialized;
    if (metadata.initializers) {
      await checkAllowed(attributes, "create with initializers denied");
      if (isDone(metadata.initializers)) delete metadata.initializers; // how an administrator leaves initialization out
      return;
    }
    // A pod that runs already cannot be held back.
    if (kindName === "Pod" && Object.hasOwn(metadata.annotations ?? {}, mirrorAnnotation)) return;
    const names = namesFor(attributes);
    if (names.length > 0) metadata.initializers = { pending: names.map((name) => ({ name })) };
  }

  async function admitChange(attributes: AdmissionAttributes): Promise<void> {
    const { metadata } = attributes.object as Initialized;
    const before = (attributes.old as Initialized | undefined)?.metadata.initializers;
    if (metadata.initializers && isDone(metadata.initializers)) delete metadata.initializers;
    const after = metadata.initializers;
    if (!before && !after) return;
    const errors = checkChange(before, after);
    const { group, kind: kindName } = attributes.kind;
    if (errors.length > 0) throw invalid({ group, kind: kindName }, attributes.name, errors);
    await checkAllowed(attributes, "update to uninitialized resource denied");
  }

  return {
    name: "Initializers",
    operations: ["CREATE", "UPDATE"],
    admit(attributes) {
      if (attributes.subresource !== "" || !attributes.object) return;
      return attributes.operation === "CREATE" ? admitNew(attributes) : admitChange(attributes);
    },
  };
}

const isDone = ({ pending = [], result }: Partial<Initializers>): boolean =>
  pending.length === 0 && result === undefined;

/** Pure: ValidateInitializersUpdate of Kubernetes 1.13 (apimachinery pkg/api/validation/objectmeta.go). A result is for good. */
export function checkChange(before: Initializers | undefined, after: Initializers | undefined): FieldError[] {
  if (!before) return after ? [invalidField(path, null, "field is immutable once initialization has completed")] : [];
  if (!after) return [];
  if (before.result)
    return equalJson(before.result, after.result)
      ? []
      : [invalidField(path.child("result"), after.result, "field is immutable")];
  return after.result && after.result.status !== "Failure"
    ? [invalidField(path.child("result", "status"), after.result.status, "must be 'Failure'")]
    : [];
}

type Rules = NonNullable<NonNullable<InitializerConfiguration["initializers"]>[number]["rules"]>;

/** Pure: upstream wanted every rule to fit, not one of them. */
export function matches(
  rules: Rules,
  { group, version, resource }: { readonly group: string; readonly version: string; readonly resource: string },
): boolean {
  const names = (list: readonly string[] = [], name: string): boolean => list[0] === "*" || list.includes(name);
  return (
    rules.length > 0 &&
    rules.every(
      ({ apiGroups, apiVersions, resources }) =>
        names(apiGroups, group) &&
        names(apiVersions, version) &&
        (resources?.[0] === "*/*" || names(resources, resource)),
    )
  );
}
