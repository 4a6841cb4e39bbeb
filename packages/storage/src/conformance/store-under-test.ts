import type { KeyValueStore } from "../contract/key-value-store.js";

/** A fresh store, empty of keys, and what a test may do around it. */
export interface OpenedStore {
  readonly store: KeyValueStore;
  /** Lets this much time pass for the store's leases. @default waits that long */
  readonly advance?: (ms: number) => Promise<void>;
  /** Closes the store and opens what it kept. @default the engine keeps nothing, and what needs it is not tested */
  readonly reopen?: () => Promise<KeyValueStore>;
  /** Closes the store, damages these bytes of a value where they are kept, and opens it again. @default what needs it is not tested */
  readonly damage?: (value: Uint8Array) => Promise<KeyValueStore>;
  /** Cleans up; the store has been closed already. */
  readonly dispose?: () => Promise<void>;
}

export interface StoreUnderTest {
  readonly open: () => Promise<OpenedStore>;
  /** Titles of checks that fail, with the reason. A gap that has closed fails too, so that it is deleted here. */
  readonly knownGaps?: Readonly<Record<string, string>>;
  /** Random runs against the model. @default 8 */
  readonly randomRuns?: number;
  /** Steps in each random run. @default 400 */
  readonly randomSteps?: number;
  /** Milliseconds that one check may take. @default 30000 */
  readonly timeoutMs?: number;
}

/** One promise of the contract. `needsReopen`, `needsDamage`: only for engines that keep their data, or whose data a test can damage. */
export interface Check {
  readonly title: string;
  readonly needsReopen?: boolean;
  readonly needsDamage?: boolean;
  readonly body: (
    opened: Required<Pick<OpenedStore, "store" | "advance">> & Pick<OpenedStore, "reopen" | "damage">,
  ) => Promise<void>;
}
