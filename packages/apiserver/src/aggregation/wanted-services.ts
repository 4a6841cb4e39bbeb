import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { customResourcePriority } from "../documents/discovery/group-versions.js";
import { apiServiceName } from "./api-service.js";
import type { WantedService } from "./plan-registration.js";

/** Which APIServices there should be for what this server serves itself, by name. */
export class WantedServices {
  readonly #wanted: Map<string, WantedService>;
  /** Which definitions serve a group-version, by the name of its APIService. */
  readonly #servedBy = new Map<string, Set<string>>();
  /** The APIServices of a definition. */
  readonly #namesOf = new Map<string, readonly string[]>();

  /** @param builtIn those of the built-in group-versions that are served */
  constructor(builtIn: readonly WantedService[]) {
    this.#wanted = new Map(builtIn.map((each) => [apiServiceName(each), each]));
  }

  get(name: string): WantedService | undefined {
    return this.#wanted.get(name);
  }

  names(): Iterable<string> {
    return this.#wanted.keys();
  }

  /** Which names are concerned when a definition changed; undefined: it is gone. */
  definitionChanged(name: string, definition: DeepReadonly<CustomResourceDefinition> | undefined): string[] {
    const group = definition?.spec.group ?? "";
    const before = this.#namesOf.get(name) ?? [];
    const versions = definition?.spec.versions.filter(({ served }) => served) ?? [];
    const after = versions.map(({ name: version }) => apiServiceName({ group, version }));
    if (after.length > 0) this.#namesOf.set(name, after);
    else this.#namesOf.delete(name);
    return [
      ...before.filter((each) => !after.includes(each) && this.#remove(each, name)),
      ...after.filter((each) => !before.includes(each) && this.#add(each, name, group)),
    ];
  }

  #add(service: string, definition: string, group: string): boolean {
    const by = this.#servedBy.get(service);
    if (by) {
      by.add(definition);
      return false;
    }
    this.#servedBy.set(service, new Set([definition]));
    const version = service.slice(0, service.indexOf("."));
    if (!this.#wanted.has(service))
      this.#wanted.set(service, { group, version, ...customResourcePriority, managed: "true" });
    return true;
  }

  #remove(service: string, definition: string): boolean {
    const by = this.#servedBy.get(service);
    by?.delete(definition);
    if (!by || by.size > 0) return false;
    this.#servedBy.delete(service);
    if (this.#wanted.get(service)?.managed === "true") this.#wanted.delete(service);
    return true;
  }
}
