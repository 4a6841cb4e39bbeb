import type { Client } from "@coxswain/client";
import type { ConnectedClient } from "@coxswain/client/node";
import type { OptionsOf } from "@coxswain/component/flags";
import type { CertificateLife } from "@coxswain/kubelet";
import type { Logger } from "@coxswain/runtime/log";
import type { kubeletCommandFlags } from "./kubelet-command-flags.js";

export type KubeletOptions = OptionsOf<typeof kubeletCommandFlags>;

export interface RunContext {
  readonly client: ConnectedClient;
  clientFor(name: string): Client;
  readonly log: Logger;
  readonly ended: Promise<void>;
  readonly clientCertificate?: CertificateLife | undefined;
}
