import { createServer } from "node:net";
import { FlagError } from "@coxswain/component/flags";
import { portHolder } from "./port-holder.js";

export interface PortChoice {
  /** By flag. */
  readonly asked: number | undefined;
  /** What the cluster had when it ran last, so that kubeconfigs stay true. */
  readonly last: number | undefined;
  readonly host: string;
}

const usualPort = 6443;

/** The port to listen on; 0: any free one. @throws FlagError where the one that was asked for is taken */
export async function choosePort({ asked, last, host }: PortChoice): Promise<number> {
  if (asked !== undefined) {
    if (asked === 0 || (await isPortFree(asked, host))) return asked;
    const holder = portHolder(asked);
    throw new FlagError(
      `port ${asked} of ${host} cannot be listened on${holder ? `: ${holder} has it` : ""}. Choose another one by --secure-port, or leave it out for one that is free`,
    );
  }
  for (const port of [last, usualPort]) if (port !== undefined && (await isPortFree(port, host))) return port;
  return 0;
}

/** Whether somebody may listen there now. */
export const isPortFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen({ port, host }, () => probe.close(() => resolve(true)));
  });
