import type { Lease } from "@coxswain/api/coordination/v1";
import type { Node } from "@coxswain/api/core/v1";
import type { Client } from "@coxswain/client";
import type { Clock } from "@coxswain/runtime/clock";
import { registerNode, renewLease } from "./register-node.js";

export interface NodeRegistrationOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Whether the API server is to be reached: a renewal that is due waits for that. */
  isUp(): boolean;
  /** Does what the next heartbeat tries again if it fails. */
  attempt(problem: string, work: () => Promise<void>): Promise<void>;
}

/** The Node that a kubelet registered, and the Lease that keeps it alive. */
export class NodeRegistration {
  readonly #options: NodeRegistrationOptions;
  #node: Node | undefined;
  #lease: Lease | undefined;
  #renewing: Promise<void> | undefined;
  #isRenewalDue = false;

  constructor(options: NodeRegistrationOptions) {
    this.#options = options;
  }

  /** As it was registered; undefined before that, and after somebody deleted it. */
  get node(): Node | undefined {
    return this.#node;
  }

  get name(): { readonly name: string; readonly uid: string } | undefined {
    const { name = "", uid = "" } = this.#node?.metadata ?? {};
    return this.#node && { name, uid };
  }

  /** @param isStaged Stages write the status: what a kubelet that runs would report is left out */
  async register(node: Node, isStaged: boolean): Promise<void> {
    const { client, signal } = this.#options;
    this.#node = isStaged
      ? await registerNode(client, unreported(node), { signal, keepsStatus: true })
      : await registerNode(client, node, { signal });
  }

  /** The Node is gone; it is registered again when the kubelet is back. */
  forget(): void {
    this.#node = undefined;
  }

  /** Renews the lease. What is asked for while a renewal is under way is sent when that is over. */
  renew(): Promise<void> {
    this.#isRenewalDue = true;
    return (this.#renewing ??= this.#renewWhileDue().finally(() => (this.#renewing = undefined)));
  }

  async #renewWhileDue(): Promise<void> {
    const { isUp, attempt } = this.#options;
    while (this.#isRenewalDue && isUp()) {
      this.#isRenewalDue = false;
      await attempt("a lease was not renewed", () => this.renewNow());
    }
  }

  async renewNow(): Promise<void> {
    if (!this.#node) return;
    const { client, clock, signal } = this.#options;
    this.#lease = await renewLease(client, { node: this.#node, known: this.#lease, now: clock.now() }, signal);
  }
}

/** The node without what only a kubelet that runs knows. */
export function unreported(node: Node): Node {
  const { conditions: _, ...status } = node.status ?? {};
  return { ...node, status };
}
