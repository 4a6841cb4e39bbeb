import { connect, loadConfig } from "@coxswain/client/node";
import { formatHelp, parseOnlyFlags } from "@coxswain/component/flags";
import { loggerFrom, processSignal } from "@coxswain/component/main";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import type { AdmissionPlugin } from "../../admission/admission.js";
import { auditFrom } from "../../audit/flags/audit-options.js";
import type { AuthenticationOptions } from "../../authentication/authentication-options.js";
import type { Authorizer } from "../../authorization/attributes.js";
import { type Listener, listen } from "../../server/listener/listener.js";
import { createApiServer, type OwnApiServer } from "../create-api-server.js";
import { delegateAuthentication, delegateAuthorization } from "../delegated-access.js";
import type { OwnServerOptions } from "../library-options.js";
import { namespaceLifecycle } from "../namespace-lifecycle.js";
import { complete, type ServerConfig } from "./complete.js";
import { openStore } from "./open-store.js";
import { serverFlags } from "./server-flags.js";
import { servingCredentials, userAuthority, writeFirstUser } from "./serving-credentials.js";

export interface RunApiServerOptions extends Omit<OwnServerOptions, "store" | "runtime"> {
  /** Of the program, for `--help`, logs and kubeconfigs. @default "apiserver" */
  readonly name?: string;
  /** @default the process's */
  readonly args?: readonly string[];
  /** Ends the server. @default SIGTERM and SIGINT; a second one ends the process at once */
  readonly signal?: AbortSignal;
  /** Called once it listens. */
  readonly onListening?: (at: { readonly port: number; readonly kubeconfig?: string }) => void;
}

/** The `main` of a server of one's own: flags as of k8s.io/apiserver's programs, a store, certificates, access, and an orderly end. Rejects when the store fails. */
export async function runApiServer({
  name = "apiserver",
  args = process.argv.slice(2),
  ...options
}: RunApiServerOptions): Promise<void> {
  const parsed = parseOnlyFlags(serverFlags, args);
  if (parsed.kind === "help") {
    process.stdout.write(formatHelp(serverFlags, { usage: `${name} [flags]` }));
    return;
  }
  const flags = parsed.options;
  const config = complete(flags);
  const runtime = systemRuntime({ log: loggerFrom(flags) });
  const audit = options.audit ?? auditFrom(flags, runtime.log);
  await runWith(config, { ...options, name, ...(audit && { audit }) }, runtime);
}

type Running = Omit<RunApiServerOptions, "args"> & { readonly name: string };

async function runWith(config: ServerConfig, running: Running, runtime: Runtime): Promise<void> {
  const { name, signal = processSignal(), onListening, ...options } = running;
  let fail: (error: Error) => void = () => {};
  const diskFailed = new Promise<never>((_, reject) => (fail = reject));
  diskFailed.catch(() => {}); // reported where the server's end is awaited
  const access = await openAccess(config, runtime);
  const store = await openStore(config, runtime, fail);
  try {
    const authentication = options.authentication ?? access.authentication;
    const authorizer = options.authorizer ?? access.authorizer;
    const server = await createApiServer({
      ...options,
      authentication,
      ...(authorizer && { authorizer }),
      admission: [...access.admission, ...(options.admission ?? [])],
      runtime,
      store,
    });
    try {
      const listener = await startListening(server, config, { authentication, runtime });
      const kubeconfig =
        config.access.by === "certificates" && writeFirstUser(config, { runtime, name, port: listener.port });
      const at = { port: listener.port, ...(kubeconfig && { kubeconfig }) };
      runtime.log.info("serving", at);
      onListening?.(at);
      await Promise.race([aborted(signal), server.failed, diskFailed]);
      listener.stopAccepting();
      await server.stop({ closeSockets: () => listener.close() });
    } catch (err) {
      await server.stop();
      throw err;
    }
  } finally {
    await store.close();
    await access.close();
  }
}

interface OpenedAccess {
  readonly authentication: AuthenticationOptions;
  readonly authorizer?: Authorizer;
  /** What the cluster knows of writes. */
  readonly admission: readonly AdmissionPlugin[];
  close(): Promise<void>;
}

/** Who decides, as the flags have it. What the program itself passes comes before it. */
async function openAccess(config: ServerConfig, runtime: Runtime): Promise<OpenedAccess> {
  const { access } = config;
  if (access.by === "certificates")
    return { authentication: { clientCa: userAuthority(config, runtime) }, admission: [], close: async () => {} };
  const connectTo = (path: string | undefined) => connect(loadConfig(path === undefined ? {} : { path }));
  const reviewer = connectTo(access.authentication);
  const decider = access.authorization === access.authentication ? reviewer : connectTo(access.authorization);
  const close = async (): Promise<void> => {
    await reviewer.close();
    if (decider !== reviewer) await decider.close();
  };
  try {
    const authentication = await delegateAuthentication(reviewer);
    const admission = config.admission.namespaces ? [namespaceLifecycle(reviewer, runtime)] : [];
    return { authentication, authorizer: delegateAuthorization(decider, runtime), admission, close };
  } catch (err) {
    await close();
    throw err;
  }
}

function startListening(
  server: OwnApiServer,
  config: ServerConfig,
  { authentication, runtime }: { readonly authentication: AuthenticationOptions; readonly runtime: Runtime },
): Promise<Listener> {
  const { clientCa = "", requestHeader } = authentication;
  const clientAuthority = `${clientCa.trimEnd()}\n${requestHeader?.authority ?? ""}`;
  return listen(
    { ...config.listening, ...servingCredentials(config, runtime), clientAuthority, runtime },
    (request, sink) => server.serve(request, sink),
  );
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
