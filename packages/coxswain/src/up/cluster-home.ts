import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { FlagError } from "@coxswain/component/flags";

/** The flags by which the commands about clusters choose one. */
export interface ClusterChoice {
  readonly name: string;
  readonly dataDir?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where named clusters have their folders. */
export const clustersFolder = (environment: Environment = process.env): string =>
  environment["COXSWAIN_HOME"] || join(homedir(), ".coxswain");

/** A name becomes a folder, a context in a kubeconfig and part of node names: a DNS label. */
const isName = (name: string): boolean => name.length <= 40 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(name);

/** The cluster's folder: data, certificates, kubeconfig, log, state. @throws FlagError for a name that is none */
export function clusterFolder({ name, dataDir }: ClusterChoice, environment: Environment = process.env): string {
  if (dataDir !== undefined) return resolve(dataDir);
  if (!isName(name))
    throw new FlagError(
      `--name must be lower case letters, digits and dashes (40 at most), not ${JSON.stringify(name)}`,
    );
  return join(clustersFolder(environment), name);
}

/** The flags that choose the same cluster, with a blank in front: hints are meant to be typed as they are. */
export const choiceWords = ({ name, dataDir }: ClusterChoice): string =>
  dataDir !== undefined ? ` --data-dir ${dataDir}` : name === "default" ? "" : ` --name ${name}`;
