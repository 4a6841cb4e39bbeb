import { render } from "preact";
import { app, pageRuntime, setApp, tick } from "./app-state.js";
import { followAddress } from "./route.js";
import { forgetSession, openSession } from "./session.js";
import { Shell } from "./shell.js";
import { applyTheme } from "./theme.js";
import { Welcome } from "./welcome.js";
import { createWorkerClient } from "./worker-client.js";

/** The only script that the page starts by an address; Trusted Types refuse any other. */
const scripts = (globalThis as unknown as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("coxswain", {
  createScriptURL(url) {
    if (url === "/worker.js") return url;
    throw new TypeError("no such worker");
  },
});

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): unknown };
}

async function start(): Promise<void> {
  const root = document.getElementById("console") as HTMLElement;
  applyTheme();
  const key = await openSession();
  if (key === undefined) return render(<Welcome />, root);
  const url = (scripts?.createScriptURL("/worker.js") ?? "/worker.js") as string;
  const worker = createWorkerClient(new Worker(url, { type: "module" }));
  try {
    const cluster = await worker.call("connect", { key });
    setApp({ runtime: pageRuntime, worker, cluster, nonce: document.body.dataset["nonce"] ?? "" });
  } catch (error) {
    forgetSession();
    return render(<Welcome problem={(error as Error).message} />, root);
  }
  followAddress();
  tick();
  document.title = `${app().cluster.cluster} · Coxswain`;
  render(<Shell />, root);
}

void start();
