import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { NoMatchError } from "@coxswain/apimachinery/rest-mapper";
import { isAlreadyExists, isStatusError } from "@coxswain/apimachinery/status";
import { connect, loadKubeconfig } from "@coxswain/client/node";
import type { ApplyConfiguration, ResourceClient } from "@coxswain/client/resource";
import { hasCondition, waitFor } from "@coxswain/client/wait";
import { startEtcd, startKubeApiserver } from "@coxswain/tools/upstream";
import { findingsOfRefusal } from "../findings-of-refusal.js";
import { planOrder, type Stage, stages } from "../plan-order.js";
import type { Manifest, SourceObject } from "../read-objects.js";

/** What is reported of an object: nothing is acceptance. */
export interface Report {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

const strict = { fieldValidation: "Strict", fieldManager: "kubectl-client-side-apply" } as const;
/** What others depend on is created; the rest is only tried. */
const made: readonly Stage[] = ["definitions", "namespaces", "surroundings", "policies"];
const untilPoliciesActMs = 3000;
const untilServedMs = 3000;

/** An empty kube-apiserver that objects are put to as by `kubectl apply --dry-run=server`. */
export class DryRuns {
  readonly #client: ReturnType<typeof connect>;
  readonly #stop: () => Promise<void>;
  #warnings: string[] = [];
  readonly #namespaces = new Set<string>();

  private constructor(kubeconfig: string, stop: () => Promise<void>) {
    this.#client = connect(loadKubeconfig({ path: kubeconfig }), {
      userAgent: "kubectl",
      maxRetries: 0,
      onWarning: (text) => void this.#warnings.push(text),
    });
    this.#stop = stop;
  }

  static async start(): Promise<DryRuns> {
    const folder = await mkdtemp(join(tmpdir(), "coxswain-check-compare-"));
    const etcd = await startEtcd({ folder, sync: false });
    const server = await startKubeApiserver({ folder, etcdUrl: etcd.url, disableAdmissionPlugins: [] });
    return new DryRuns(server.kubeconfigFile, async () => {
      await server.stop();
      await etcd.stop();
      await rm(folder, { recursive: true, force: true });
    });
  }

  async stop(): Promise<void> {
    await this.#client.close();
    await this.#stop();
  }

  /** By the file that each object names: every object has one of its own here. */
  async report(objects: readonly SourceObject[]): Promise<ReadonlyMap<string, Report>> {
    const reports = new Map<string, Report>();
    const order = planOrder(objects);
    for (const stage of stages) {
      const members = order.get(stage) ?? [];
      for (const object of members) reports.set(object.file, await this.#put(object, !made.includes(stage)));
      if (stage === "definitions") await this.#untilServed(members);
      if (stage === "policies" && members.length > 0) await sleep(untilPoliciesActMs);
    }
    return reports;
  }

  async #put(object: SourceObject, dryRun: boolean): Promise<Report> {
    this.#warnings = [];
    try {
      const resource = await this.#client.resourceOf(object.manifest);
      if (resource.namespace !== undefined) await this.#ensureNamespace(resource.namespace);
      await this.#create(resource as ResourceClient<Manifest>, object.manifest, dryRun);
      return { errors: [], warnings: this.#warnings };
    } catch (error) {
      if (error instanceof NoMatchError) return { errors: [error.message], warnings: [] };
      if (!isStatusError(error)) throw error;
      const errors = findingsOfRefusal(object, "", error).map(({ message }) => message);
      return { errors, warnings: this.#warnings };
    }
  }

  /** What is there from the start is applied to. Admission counts by a quota once it has a status, which a controller writes. */
  async #create(resource: ResourceClient<Manifest>, given: Manifest, dryRun: boolean): Promise<void> {
    const { namespace } = resource;
    const manifest = namespace === undefined ? given : { ...given, metadata: { ...given.metadata, namespace } };
    try {
      const created = await this.#createServed(resource, manifest, dryRun);
      if (manifest.kind !== "ResourceQuota") return;
      const { hard = {} } = (created as { spec?: { hard?: Record<string, unknown> } }).spec ?? {};
      const used = Object.fromEntries(Object.keys(hard).map((name) => [name, "0"]));
      await resource.updateStatus({ ...created, status: { hard, used } } as Manifest);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      await resource.apply(manifest as ApplyConfiguration<Manifest>, { ...strict, force: true, dryRun: true });
    }
  }

  /** Nobody runs conversion webhooks: a definition is checked with its own, and serves without it, as if the versions were equal. */
  async #createServed(resource: ResourceClient<Manifest>, manifest: Manifest, dryRun: boolean): Promise<Manifest> {
    const { spec } = manifest as Manifest & CustomResourceDefinition;
    if (manifest.kind !== "CustomResourceDefinition" || spec?.conversion?.strategy !== "Webhook")
      return resource.create(manifest, { ...strict, dryRun });
    await resource.create(manifest, { ...strict, dryRun: true });
    const { conversion: _, ...served } = spec;
    return resource.create({ ...manifest, spec: served } as Manifest, { ...strict, dryRun });
  }

  /** With the service account that pods need, which a controller makes. */
  async #ensureNamespace(name: string): Promise<void> {
    if (this.#namespaces.has(name)) return;
    this.#namespaces.add(name);
    await unlessThere(this.#client.core.v1.namespaces().create({ metadata: { name } }));
    await unlessThere(this.#client.core.v1.serviceaccounts(name).create({ metadata: { name: "default" } }));
  }

  async #untilServed(definitions: readonly SourceObject[]): Promise<void> {
    const resource = this.#client.apiextensions.v1.customresourcedefinitions();
    const isServed = hasCondition("Established");
    const isRefused = hasCondition("NamesAccepted", "False");
    for (const { metadata } of (await resource.list()).items)
      await waitFor<CustomResourceDefinition>(resource, metadata?.name ?? "", (one) => isServed(one) || isRefused(one));
    // A version is served some time after its condition.
    if (definitions.length > 0) await sleep(untilServedMs);
  }
}

async function unlessThere(creation: Promise<unknown>): Promise<void> {
  await creation.catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}
