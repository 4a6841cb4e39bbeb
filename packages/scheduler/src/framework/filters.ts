import type { NodeInfo } from "../cache/node-info.js";
import type { PodInfo } from "../pod/pod-info.js";
import type { Cycle } from "./cycle.js";
import type { NodeFilter, NodeFilters } from "./plugin.js";
import { errorStatus, type Status } from "./status.js";

/** Filters run in order; the first refusal counts. */
export class OrderedFilters implements NodeFilters {
  readonly #cycle: Cycle;
  readonly #filters: readonly NodeFilter[];

  constructor(cycle: Cycle, filters: readonly NodeFilter[]) {
    this.#cycle = cycle;
    this.#filters = filters;
  }

  check(node: NodeInfo): Status | undefined {
    const filters = this.#filters;
    for (let at = 0; at < filters.length; at++) {
      const status = (filters[at] as NodeFilter).filter(node);
      if (status !== undefined) return status.code === "Error" ? failed(status) : status;
    }
    return undefined;
  }

  /**
   * A node must pass with the pods of at least equal priority that were promised room there, as if they ran, and without them:
   * an affinity that only they satisfy must not be relied on.
   */
  checkWithNominated(node: NodeInfo): Status | undefined {
    const nominated = this.#cycle.nominatedPods(node.name);
    if (nominated.length === 0) return this.check(node);
    const { pod } = this.#cycle;
    const others = nominated.filter((other) => other.priority >= pod.priority && other.uid !== pod.uid);
    if (others.length === 0) return this.check(node);
    const withThem = node.copy();
    const filters = this.copy();
    for (const other of others) {
      withThem.addPod(other);
      filters.addPod(other, withThem);
    }
    return filters.check(withThem) ?? this.check(node);
  }

  addPod(pod: PodInfo, node: NodeInfo): void {
    for (const filter of this.#filters) filter.addPod?.(pod, node);
  }

  removePod(pod: PodInfo, node: NodeInfo): void {
    for (const filter of this.#filters) filter.removePod?.(pod, node);
  }

  copy(): OrderedFilters {
    return new OrderedFilters(
      this.#cycle,
      this.#filters.map((filter) => filter.copy?.() ?? filter),
    );
  }
}

const failed = ({ plugin, reasons, error }: Status): Status =>
  errorStatus(plugin, new Error(`running "${plugin}" filter plugin: ${reasons.join(", ")}`, { cause: error }));
