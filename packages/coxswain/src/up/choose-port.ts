import { createServer } from "node:net";

export interface PortChoice {
  /** By flag. */
  readonly asked: number | undefined;
  /** What the cluster had when it ran last, so that kubeconfigs stay true. */
  readonly last: number | undefined;
  readonly host: string;
}

const usualPort = 6443;

/** The port to listen on; 0: any free one. One that was asked for is not looked at: the listener reports if it is taken. */
export async function choosePort({ asked, last, host }: PortChoice): Promise<number> {
  if (asked !== undefined) return asked;
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
