import { defineFlags, FlagError } from "@coxswain/component/flags";
import { pluralOf } from "@coxswain/schema-types";
import type { ScaffoldedKind } from "./kind-names.js";

/** Which kind a command is about. */
export const kindFlags = defineFlags({
  group: { group: "Kind", type: "string", value: "name", help: "The API group without the domain: media." },
  version: { group: "Kind", type: "string", value: "version", help: "v1alpha1, v1beta2, v1 …" },
  kind: { group: "Kind", type: "string", value: "Kind", help: "In upper camel case: VideoProcessor." },
  plural: { group: "Kind", type: "string", value: "name", help: "The resource. By default the kind's plural." },
});

export interface KindOptions {
  readonly group?: string | undefined;
  readonly version?: string | undefined;
  readonly kind?: string | undefined;
  readonly plural?: string | undefined;
}

const apiVersion = /^v[0-9]+(?:(?:alpha|beta)[0-9]+)?$/;

/** @throws FlagError */
export function checkVersion(flag: string, version: string): void {
  if (!apiVersion.test(version))
    throw new FlagError(`--${flag}: "${version}" is no API version such as v1alpha1, v1beta2 or v1`);
}

/** @throws FlagError */
export function readKind({ group, version, kind, plural }: KindOptions, domain: string): ScaffoldedKind {
  if (group === undefined || version === undefined || kind === undefined)
    throw new FlagError("a kind needs --group, --version and --kind");
  if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(group))
    throw new FlagError(`--group: "${group}" is not one word of a-z, 0-9 and "-"; the domain is added to it`);
  checkVersion("version", version);
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind)) throw new FlagError(`--kind: "${kind}" is not in upper camel case`);
  const resource = plural ?? pluralOf(kind);
  if (!/^[a-z][a-z0-9]*$/.test(resource)) throw new FlagError(`--plural: "${resource}" is not of a-z and 0-9`);
  return { group: `${group}.${domain}`, version, kind, plural: resource };
}
