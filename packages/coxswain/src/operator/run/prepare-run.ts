import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ProjectPlace } from "../../project/subcommand.js";
import { writeChanged } from "../../project/write-files.js";
import { type Manifest, readManifests } from "../apply/read-manifests.js";
import { withAddress } from "../apply/webhook-addresses.js";
import { bundleOperator } from "../esbuild.js";
import { plan } from "../generate-command.js";
import type { LocalWebhooks } from "./local-webhooks.js";

/** An operator that can be started: equal ones need no restart. */
export interface PreparedRun {
  readonly code: string;
  readonly definitions: readonly Manifest[];
  /** The same definitions as they are delivered, with webhooks behind a Service. */
  readonly delivered: readonly Manifest[];
  readonly configurations: readonly Manifest[];
}

/** Below dist, which is ignored by git; in the project's folder, so that packages are found. */
export const programFile = "dist/run/main.mjs";

/** Generates manifests and builds the program. Undefined: the sources have errors, which were printed. @throws BundleError, ManifestError */
export async function prepareRun(
  place: ProjectPlace,
  webhooks: LocalWebhooks | undefined,
): Promise<PreparedRun | undefined> {
  const { directory, print } = place;
  const files = plan(place, {});
  if (files === undefined) return undefined;
  for (const path of writeChanged(directory, files)) print(`wrote ${path}`);
  const { code, sourceMap } = await bundleOperator(directory, { externalPackages: true });
  const program = join(directory, programFile);
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, code);
  writeFileSync(`${program}.map`, sourceMap);
  const delivered = readManifests(directory, ["config/crd", "config/webhook"]);
  const objects = delivered.map((object) =>
    webhooks ? withAddress(object, webhooks.address, webhooks.caBundle) : object,
  );
  const isDefinition = ({ kind }: Manifest): boolean => kind === "CustomResourceDefinition";
  return {
    code,
    definitions: objects.filter(isDefinition),
    delivered: delivered.filter(isDefinition),
    configurations: webhooks ? objects.filter(({ kind }) => kind.endsWith("WebhookConfiguration")) : [],
  };
}

export const isSameRun = (one: PreparedRun | undefined, other: PreparedRun): boolean =>
  one !== undefined && JSON.stringify(one) === JSON.stringify(other);
