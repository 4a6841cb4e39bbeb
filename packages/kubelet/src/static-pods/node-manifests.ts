import type { Runtime } from "@coxswain/runtime";
import { createManifestSource, type ManifestSource } from "./manifest-source.js";
import type { Manifest } from "./read-manifest.js";

type Places = Omit<Parameters<typeof createManifestSource>[0], "onManifests" | "runtime">;

/** The manifests of static pods that each node of a process has: those of files and URLs for all, others by the node's name. */
export class NodeManifests {
  readonly #source: ManifestSource;
  #shared: readonly Manifest[] = [];
  readonly #own = new Map<string, readonly Manifest[]>();

  /** @param onShared those of files and URLs changed */
  constructor(places: Places, runtime: Runtime, onShared: () => void) {
    this.#source = createManifestSource({
      ...places,
      onManifests: (found) => {
        this.#shared = found;
        onShared();
      },
      runtime,
    });
  }

  get hasShared(): boolean {
    return this.#shared.length > 0;
  }

  of(nodeName: string): Manifest[] {
    return [...this.#shared, ...(this.#own.get(nodeName) ?? [])];
  }

  /** In place of what the node had by this method. */
  set(nodeName: string, texts: readonly string[]): void {
    this.#own.set(
      nodeName,
      texts.map((text, i) => ({ text, source: `${nodeName}/${i}`, kind: "file" })),
    );
  }

  start(): Promise<void> {
    return this.#source.start();
  }

  stop(): void {
    this.#source.stop();
  }
}
