import { join } from "node:path";
import type { Step } from "../steps/step.js";

/** Where images of a registry are pulled from first. */
export interface RegistryMirror {
  /** `docker.io`, `registry.example:5000`, or `_default` for all that have no folder of their own. */
  readonly registry: string;
  readonly urls: readonly string[];
}

/** A registry's own folder with a `hosts.toml`, and what it is called: `docker.io`. */
export interface RegistryFolder {
  readonly registry: string;
  readonly path: string;
}

/**
 * The one folder of registries that containerd reads (`config_path`; a list of folders is for its version 1 alone): mirrors are asked
 * in their order, then the registry itself. Registries without a mirror are as in their folders.
 */
export const planMirrors = (
  folder: string,
  mirrors: readonly RegistryMirror[],
  others: readonly RegistryFolder[],
): Step[] => [
  { kind: "directory", path: folder },
  ...mirrors.flatMap(({ registry, urls }): Step[] => {
    const directory = join(folder, registry);
    const host = (url: string): string => `[host.${JSON.stringify(url)}]\n  capabilities = ["pull", "resolve"]\n`;
    return [
      { kind: "directory", path: directory },
      { kind: "file", path: join(directory, "hosts.toml"), content: urls.map(host).join("") },
    ];
  }),
  ...others
    .filter(({ registry }) => mirrors.every((mirror) => mirror.registry !== registry))
    .map(({ registry, path }): Step => ({ kind: "run", command: ["ln", "-s", path, join(folder, registry)] })),
];
