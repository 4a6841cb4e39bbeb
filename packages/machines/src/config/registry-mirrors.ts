import { join } from "node:path";
import type { Step } from "../steps/step.js";

/** Where images of a registry are pulled from first. */
export interface RegistryMirror {
  /** `docker.io`, `registry.example:5000`, or `_default` for all that have no folder of their own. */
  readonly registry: string;
  readonly urls: readonly string[];
}

/** The folder of registries that containerd reads (`config_path`): mirrors are asked in their order, then the registry itself. */
export const planMirrors = (folder: string, mirrors: readonly RegistryMirror[]): Step[] => [
  { kind: "directory", path: folder },
  ...mirrors.flatMap(({ registry, urls }): Step[] => {
    const directory = join(folder, registry);
    const host = (url: string): string => `[host.${JSON.stringify(url)}]\n  capabilities = ["pull", "resolve"]\n`;
    return [
      { kind: "directory", path: directory },
      { kind: "file", path: join(directory, "hosts.toml"), content: urls.map(host).join("") },
    ];
  }),
];
