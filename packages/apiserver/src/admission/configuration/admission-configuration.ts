import { parseYaml } from "@coxswain/apimachinery/yaml";
import type { PluginConfiguration } from "./plugin-configuration.js";

interface Entry {
  readonly name?: string;
  readonly path?: string;
  readonly configuration?: unknown;
}

const versions = new Set(["apiserver.config.k8s.io/v1", "apiserver.k8s.io/v1alpha1"]);

/**
 * The configuration of each plugin in an AdmissionConfiguration. `readFile` reads files that it names. Two plugins had a file before there were versions:
 * such a file is taken for both.
 * @throws when it is none
 */
export function readAdmissionConfiguration(
  text: string,
  readFile: (path: string) => string,
): Map<string, PluginConfiguration> {
  const { value, strictError } = parseYaml(text);
  const document = (value ?? {}) as {
    apiVersion?: unknown;
    kind?: unknown;
    plugins?: readonly Entry[];
    imagePolicy?: unknown;
    podNodeSelectorPluginConfig?: unknown;
  };
  const of = (plugin: string, about: unknown): [string, PluginConfiguration] => [
    plugin,
    { plugin, document: about, readFile },
  ];
  if (
    document.kind === undefined &&
    (document.imagePolicy !== undefined || document.podNodeSelectorPluginConfig !== undefined)
  )
    return new Map([of("ImagePolicyWebhook", document), of("PodNodeSelector", document)]);
  if (document.kind !== "AdmissionConfiguration" || !versions.has(String(document.apiVersion))) {
    throw new Error(
      `expected an AdmissionConfiguration of ${[...versions].join(" or ")}, not ${String(document.kind ?? "nothing")} of ${String(document.apiVersion ?? "no version")}`,
    );
  }
  if (strictError !== undefined) throw new Error(strictError);
  const unknown = Object.keys(document).find((member) => !["apiVersion", "kind", "plugins"].includes(member));
  if (unknown !== undefined) throw new Error(`strict decoding error: unknown field "${unknown}"`);
  const found = new Map<string, PluginConfiguration>();
  for (const { name = "", path = "", configuration } of document.plugins ?? []) {
    if (found.has(name)) continue; // the first counts
    found.set(...of(name, configuration ?? (path === "" ? undefined : parseYaml(readFile(path)).value)));
  }
  return found;
}
