import type { OptionsOf } from "@coxswain/component/flags";
import type { logFlags } from "../../command/log-flags.js";
import type { ControlChoices, SigningKeys } from "../control-settings.js";
import type { SimulationChoices } from "../simulated-settings.js";

/** What a part gets from its parent, as the first line of its standard input: nobody else can read a pipe. */
export type PartPlan = NodesPlan | ControlPlan;

interface SharedPlan {
  /** The API server's Unix socket, and who this part is there. */
  readonly socket: string;
  readonly token: string;
  readonly featureGates: readonly (readonly [name: string, value: string])[];
  readonly log: PartLog;
}

export interface PartLog extends Pick<OptionsOf<typeof logFlags>, "logLevel" | "loggingFormat" | "v"> {
  /** Whether lines that come again and again are counted instead. */
  readonly summarized: boolean;
}

export interface NodesPlan extends SharedPlan {
  readonly part: "nodes";
  readonly simulation: SimulationChoices;
  readonly volumesDirectory: string | undefined;
  /** Where the API server finds kubelets and pods, and who it is there. */
  readonly served: { readonly socket: string; readonly token: string };
  /** The API server's port, for programs in simulated containers. */
  readonly apiServer: { readonly host: string; readonly port: number };
  /** The ranges of Services: in the simulated network nothing serves them. */
  readonly serviceCidrs: readonly string[];
}

export interface ControlPlan extends SharedPlan {
  readonly part: "control";
  readonly control: ControlChoices;
  /** A file with a KubeSchedulerConfiguration. */
  readonly schedulerConfig: string | undefined;
  readonly serviceAccountKey: string;
  readonly authority: SigningKeys;
}

/** Lines of standard input after the first. */
export type ParentMessage = { readonly kind: "renewed"; readonly authority: SigningKeys };

/** Lines of a part's standard output. */
export type PartMessage =
  /** It works. */
  | { readonly kind: "ready"; readonly controllers: readonly string[] }
  /** An address of its nodes or pods that cannot be known in advance. */
  | { readonly kind: "owned"; readonly cidr: string };
