import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import type { ResourceQuota } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { NoMatchError } from "@coxswain/apimachinery/rest-mapper";
import { isAlreadyExists, isStatusError } from "@coxswain/apimachinery/status";
import type { ApplyConfiguration, ResourceClient } from "@coxswain/client/resource";
import { hasCondition, waitFor } from "@coxswain/client/wait";
import type { Runtime } from "@coxswain/runtime";
import { type CheckServer, startCheckServer } from "./check-server.js";
import type { CheckResult, Finding } from "./finding.js";
import { findingsOfRefusal, lineOf } from "./findings-of-refusal.js";
import { planOrder, stages } from "./plan-order.js";
import type { Manifest, SourceObject } from "./read-objects.js";

export interface CheckOptions {
  /** Of objects that name none. @default "default" */
  readonly namespace?: string | undefined;
  /** Objects of kinds that no definition describes are passed over instead of refused. @default false */
  readonly ignoreMissingKinds?: boolean | undefined;
  /** Kinds that are passed over. @default none */
  readonly skip?: readonly string[] | undefined;
}

/**
 * Creates the objects in an API server in memory, which refuses what a cluster would refuse: strict decoding, validation, CEL rules,
 * admission plugins and policies, quotas. Nothing outside this process is called.
 *
 * Caveats: namespaces that objects name are there; webhooks and aggregated API servers are checked as objects, and never called;
 * conversion webhooks of definitions neither, versions of a custom resource are taken as equal.
 */
export async function checkObjects(
  runtime: Runtime,
  objects: readonly SourceObject[],
  options: CheckOptions,
): Promise<CheckResult> {
  const server = await startCheckServer(runtime);
  try {
    const check = new Check(server, options);
    const order = planOrder(objects);
    for (const stage of stages) {
      for (const object of order.get(stage) ?? []) await check.create(object);
      if (stage === "definitions") await check.waitForDefinitions();
      if (stage === "policies" && order.get("policies")?.length)
        for (const before of ["namespaces", "surroundings"] as const)
          for (const object of order.get(before) ?? []) await check.checkByPolicies(object);
    }
    return { objects: objects.map((object) => check.describe(object)), findings: check.findings };
  } finally {
    await server.stop();
  }
}

/** An object and where it is sent. */
interface Target {
  readonly resource: ResourceClient<Manifest>;
  readonly manifest: Manifest;
}

class Check {
  readonly findings: Finding[] = [];
  readonly #server: CheckServer;
  readonly #options: CheckOptions;
  readonly #definitions: string[] = [];
  /** By name, where it was created first. */
  readonly #created = new Map<string, SourceObject>();
  readonly #accepted = new Map<SourceObject, Target>();

  constructor(server: CheckServer, options: CheckOptions) {
    this.#server = server;
    this.#options = options;
  }

  describe(object: SourceObject): CheckResult["objects"][number] {
    return { file: object.file, line: lineOf(object, undefined), name: nameOf(object.manifest) };
  }

  /** Creates the object; one that is there is applied to, as by kubectl. */
  async create(object: SourceObject): Promise<void> {
    if (this.#options.skip?.includes(object.manifest.kind))
      return this.#report(object, "skipped", "Skipped", "--skip names its kind");
    const target = await this.#targetOf(object);
    if (!target) return;
    const { resource, manifest } = target;
    if (resource.namespace !== undefined) await this.#server.ensureNamespace(resource.namespace);
    this.#server.takeWarnings();
    try {
      await this.#write(target, object);
      this.#accepted.set(object, target);
    } catch (error) {
      if (!isStatusError(error)) throw error;
      append(this.findings, findingsOfRefusal(object, nameOf(manifest), error));
    }
    for (const warning of this.#server.takeWarnings()) this.#report(object, "warning", "Warning", warning);
  }

  /** Objects that were created before the policies: a creation that only fails because they are there passes the policies. */
  async checkByPolicies(object: SourceObject): Promise<void> {
    const target = this.#accepted.get(object);
    if (!target) return;
    try {
      await target.resource.create(target.manifest, { dryRun: true });
    } catch (error) {
      if (!isStatusError(error)) throw error;
      if (!isAlreadyExists(error)) append(this.findings, findingsOfRefusal(object, nameOf(target.manifest), error));
    }
    this.#server.takeWarnings();
  }

  async waitForDefinitions(): Promise<void> {
    const definitions = this.#server.client.apiextensions.v1.customresourcedefinitions();
    const isServed = hasCondition("Established");
    const isRefused = hasCondition("NamesAccepted", "False");
    for (const name of this.#definitions)
      await waitFor<CustomResourceDefinition>(definitions, name, (one) => isServed(one) || isRefused(one), {});
  }

  async #write({ resource, manifest }: Target, object: SourceObject): Promise<void> {
    const key = `${resource.resource.resource}.${resource.resource.group} ${resource.namespace}/${manifest.metadata?.name}`;
    try {
      if (manifest.kind === "CustomResourceDefinition") await this.#createDefinition(resource, manifest);
      else await resource.create(manifest, strict);
      if (manifest.metadata?.name !== undefined) this.#created.set(key, object);
      if (manifest.kind === "ResourceQuota") await this.#startQuota(resource, manifest as ResourceQuota);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const first = this.#created.get(key);
      if (first)
        this.#report(object, "warning", "Repeated", `is defined before, at ${first.file}:${lineOf(first, undefined)}`);
      await resource.apply(manifest as ApplyConfiguration<Manifest>, { ...strict, force: true, dryRun: true });
    }
  }

  /** Conversion webhooks do not run here: the definition is checked as a whole, and serves without one. */
  async #createDefinition(resource: ResourceClient<Manifest>, manifest: Manifest): Promise<void> {
    const definition = manifest as Manifest & CustomResourceDefinition;
    if (definition.spec?.conversion?.strategy === "Webhook") {
      await resource.create(manifest, { ...strict, dryRun: true });
      const { conversion: _, ...spec } = definition.spec;
      await resource.create({ ...definition, spec } as Manifest, strict);
    } else await resource.create(manifest, strict);
    this.#definitions.push(manifest.metadata?.name ?? "");
  }

  /** The quota controller's first status, without which admission counts nothing. */
  async #startQuota(resource: ResourceClient<Manifest>, quota: ResourceQuota): Promise<void> {
    const hard = quota.spec?.hard ?? {};
    const used = Object.fromEntries(Object.keys(hard).map((name) => [name, "0"]));
    await resource.updateStatus({ ...quota, status: { hard, used } } as Manifest);
  }

  /** Where the object is sent, in its namespace or the one of the options; nothing where no definition describes its kind. */
  async #targetOf(object: SourceObject): Promise<Target | undefined> {
    const { manifest } = object;
    const { namespace, ignoreMissingKinds } = this.#options;
    try {
      const resource = await this.#server.client.resourceOf(manifest);
      if (resource.namespace === undefined || manifest.metadata?.namespace || namespace === undefined)
        return { resource, manifest };
      return {
        resource: this.#server.client.dynamic<Manifest>(resource.resource, namespace),
        manifest: { ...manifest, metadata: { ...manifest.metadata, namespace } },
      };
    } catch (error) {
      if (!(error instanceof NoMatchError)) throw error;
      const level = ignoreMissingKinds === true ? "skipped" : "error";
      this.#report(object, level, "NoMatch", `${error.message}; --crds names files with definitions`);
      return undefined;
    }
  }

  #report(object: SourceObject, level: Finding["level"], reason: string, message: string): void {
    const { file, line, name } = this.describe(object);
    this.findings.push({ level, file, line, object: name, reason, message });
  }
}

/** As `kubectl apply` asks for it. */
const strict = { fieldValidation: "Strict", fieldManager: "kubectl-client-side-apply" } as const;

function nameOf({ kind, metadata }: Manifest): string {
  const name = metadata?.name ?? (metadata?.generateName === undefined ? "" : `${metadata.generateName}*`);
  return `${kind} ${metadata?.namespace === undefined ? name : `${metadata.namespace}/${name}`}`;
}
