import { type OptionsOf, optionName } from "@coxswain/component/flags";
import type { ControllerSettings } from "@coxswain/controllers";
import { concurrencyFrom } from "./concurrency-flags.js";
import type { controllerManagerFlags } from "./controller-manager-flags.js";
import { keysFrom } from "./key-flags.js";
import { nodeIpamFrom } from "./node-ipam-flags.js";
import { recyclerFrom } from "./recycler-flags.js";
import { rootCaOfFile } from "./root-ca-file.js";
import { givenSettings } from "./setting-flags.js";

export type ControllerManagerOptions = OptionsOf<typeof controllerManagerFlags>;

/** The controllers' settings from the flags. Reads the files that they name. */
export function settingsFrom(options: ControllerManagerOptions, given: ReadonlySet<string>): ControllerSettings {
  const values = new Map<string, unknown>(Object.entries(options));
  const volumeRecycler = recyclerFrom(options);
  return {
    concurrency: concurrencyFrom((flag) => values.get(optionName(flag)) as number),
    ...givenSettings(options, given),
    ...(volumeRecycler && { volumeRecycler }),
    ...keysFrom(options),
    ...nodeIpamFrom(options),
    ...(options.rootCaFile !== undefined && {
      rootCa: rootCaOfFile(options.rootCaFile, options.clusterSigningKeyFile),
    }),
  };
}
