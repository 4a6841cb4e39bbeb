import type { Chain, Element } from "./element.js";
import type { SharedChain } from "./shared-chains.js";
import type { TableSettings } from "./table-settings.js";

/** What is gathered while a service is planned. */
export interface RuleDraft {
  readonly settings: TableSettings;
  readonly elements: Element[];
  /** Chains of its own by name, in an order in which each finds what it goes to. */
  readonly chains: Map<string, Chain>;
  /** Chains that it shares with others. */
  readonly shared: SharedChain[];
  /** Sets that remember clients, with their time-outs in seconds. */
  readonly affinitySets: Map<string, number>;
}
