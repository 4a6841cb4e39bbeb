import { createInProcessTransport, startApiServer } from "@coxswain/apiserver";
import { createClient } from "@coxswain/client";
import { createNodeTransport } from "@coxswain/client/node";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describeInformers, type OpenedCluster } from "./describe-informers.js";
import { type ServerUnderTest, startOurServer } from "./our-server.js";
import { hasUpstream, startUpstreamServer } from "./upstream-server.js";

const openOverSockets = (start: () => Promise<ServerUnderTest>) => async (): Promise<OpenedCluster> => {
  const server = await start();
  const { ca, cert, key } = server;
  const client = createClient({
    transport: createNodeTransport({ server: server.server, tls: () => ({ ca, cert, key }) }),
  });
  return {
    client,
    async close() {
      await client.close();
      await server.stop();
    },
  };
};

describeInformers("our server in process", async () => {
  const server = await startApiServer({
    runtime: systemRuntime(),
    store: createMemoryStore({ runtime: systemRuntime() }),
  });
  const user = { name: "admin", groups: ["system:masters"] };
  const client = createClient({ transport: createInProcessTransport(server, { user }) });
  return { client, close: () => server.stop() };
});

describeInformers("our server over HTTP/2", openOverSockets(startOurServer));

describeInformers("kube-apiserver over HTTP/2", openOverSockets(startUpstreamServer), { skip: !hasUpstream() });
