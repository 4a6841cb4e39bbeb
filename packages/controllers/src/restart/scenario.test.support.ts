import type { Controller } from "../controller/controller.js";
import type { TestCluster, TestClusterOptions } from "../controller/test-cluster.test.support.js";

/** Work for controllers that must end in the same state wherever their process is killed. */
export interface Scenario extends Omit<TestClusterOptions, "controllers"> {
  /** What is brought about, as the end of a test's title. */
  readonly name: string;
  readonly controllers: readonly Controller[];
  /** What users do, one after the other; the controllers finish their work after each. */
  readonly steps: readonly ((cluster: TestCluster) => Promise<unknown>)[];
  /** What other components do, again and again: kubelets, drivers, clients that stay alive. */
  others?(cluster: TestCluster): Promise<unknown>;
  /** Milliseconds of virtual time that pass each time. @default 2,000 */
  readonly passMs?: number;
  /** Resources that upstream's controller, too, makes anew after a restart: more may be created than without kills. */
  readonly recreated?: readonly string[];
  /** Text that differs between two runs and means the same, by what stands in its place. */
  readonly same?: readonly (readonly [pattern: RegExp, text: string])[];
}
