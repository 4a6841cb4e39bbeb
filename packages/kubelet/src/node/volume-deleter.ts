import type { Node } from "@coxswain/api/core/v1";
import { deleteVolumePrefix, volumesToDelete } from "@coxswain/api/local-path";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Client } from "@coxswain/client";
import type { RecordedEvent } from "@coxswain/client/events";
import type { Runtime } from "@coxswain/runtime";
import { during } from "@coxswain/runtime/activity";

export interface VolumeDeleterOptions {
  readonly nodeName: string;
  /** In the node's own name. */
  readonly client: Client;
  readonly runtime: Runtime;
  /** Removes the files; gone already is no error. */
  deleteVolume(name: string): Promise<void>;
  record(event: RecordedEvent): void;
}

/**
 * Removes the files of volumes that the node's annotations name, then the annotations: a node that was away finds them when it is back.
 * What failed is tried again when the node is looked at next.
 */
export class VolumeDeleter {
  readonly #options: VolumeDeleterOptions;
  readonly #underWay = new Set<string>();

  constructor(options: VolumeDeleterOptions) {
    this.#options = options;
  }

  look({ metadata }: DeepReadonly<Node>): void {
    for (const name of volumesToDelete(metadata?.annotations)) {
      if (this.#underWay.has(name)) continue;
      this.#underWay.add(name);
      void during(this.#options.runtime.activity, () => this.#delete(name)).finally(() => this.#underWay.delete(name));
    }
  }

  async #delete(name: string): Promise<void> {
    const { nodeName, client, record, runtime } = this.#options;
    try {
      await this.#options.deleteVolume(name);
      const annotations = { [`${deleteVolumePrefix}${name}`]: null };
      await client.core.v1.nodes().patch(nodeName, { merge: { metadata: { annotations } } } as never);
    } catch (error) {
      const message = `Files of volume ${name} were not removed: ${(error as Error).message}`;
      record({ type: "Warning", reason: "VolumeFailedDelete", message });
      runtime.log.debug("files of a volume were not removed", { node: nodeName, name, error });
    }
  }
}
