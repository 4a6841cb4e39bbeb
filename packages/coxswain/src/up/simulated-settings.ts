import {
  createJournaledVolumes,
  type NodeSettings,
  type NodeSpec,
  numberedNodes,
  simulatedTaint,
} from "@coxswain/kubelet";
import type { Runtime } from "@coxswain/runtime";
import { readKubeletConfig } from "../kubelet/kubelet-config-file.js";
import { readSimulation } from "../kubelet/simulation-file.js";
import { readStages } from "./stage-files.js";

export interface SimulationChoices {
  /** How many simulated nodes there are, unless `simulation` has them. */
  readonly nodes: number;
  /** A file with pools of simulated nodes and rules for simulated containers. */
  readonly simulation: string | undefined;
  /** Files and folders with KWOK's Stages. */
  readonly stages: readonly string[];
  /** A file with a KubeletConfiguration for simulated nodes. */
  readonly kubeletConfig: string | undefined;
  /** Next to real nodes they have a taint: only what tolerates it runs in simulation. */
  readonly besideRealNodes: boolean;
}

export interface SimulatedSettings {
  readonly specs: readonly NodeSpec[];
  readonly settings: NodeSettings;
}

/** Reads what simulated nodes of a local cluster are, whichever process they run in. @throws FlagError that names the file */
export function simulatedSettings(choices: SimulationChoices): SimulatedSettings {
  const simulation = readSimulation(choices.simulation);
  const specs = simulation.nodes ?? numberedNodes(choices.nodes);
  return {
    specs: choices.besideRealNodes
      ? specs.map((spec) => ({ ...spec, taints: [...(spec.taints ?? []), simulatedTaint] }))
      : specs,
    settings: {
      rules: simulation.rules,
      imageRules: simulation.imageRules,
      stages: readStages(choices.stages),
      kubelet: choices.besideRealNodes ? {} : readKubeletConfig(choices.kubeletConfig),
    },
  };
}

/** Files of simulated nodes' volumes outlive the process, unless nothing is to. */
export const volumesOf = (directory: string | undefined, runtime: Runtime): Pick<NodeSettings, "volumes"> =>
  directory === undefined ? {} : { volumes: createJournaledVolumes({ runtime, directory }) };
