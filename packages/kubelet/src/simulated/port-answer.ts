import { findContainer, nameOf } from "../objects/cached-pod.js";
import type { PortStreams } from "../runtime/container-runtime.js";
import { createCoredns, isCoredns } from "./coredns/coredns.js";
import { createEchoBasic, isEchoBasic } from "./echo-basic/echo-basic.js";
import { answerPort } from "./http-echo.js";
import type { PortServer, PortTransport, ProgramFacts } from "./port-server.js";
import { serveStreams } from "./serve-streams.js";
import type { SimulatedContainer, SimulatedPod } from "./simulated-pod.js";

export interface PortQuestion {
  readonly port: number;
  readonly transport: PortTransport;
  factsOf(container: SimulatedContainer): ProgramFacts;
}

/** What answers at a port of a pod; undefined: nothing listens there. */
export function answererOf(
  home: SimulatedPod,
  { port, transport, factsOf }: PortQuestion,
): ((streams: PortStreams) => Promise<void>) | undefined {
  const running = [...home.containers.values()].flatMap(([run]) => (run?.record.state === "running" ? [run] : []));
  for (const container of running) {
    const server = serverOf(container, factsOf);
    if (server?.listens(port, transport))
      return (streams) => serveStreams(streams, (connection) => server.serve(connection, port, transport));
  }
  if (transport === "udp") return undefined;
  const unknown = running.filter((container) => !isKnown(container));
  const listening = unknown.filter(({ behaviour: { ports } }) => ports === undefined || ports.includes(port));
  const container = listening.find((one) => declares(one, port)) ?? listening[0];
  if (!container) return undefined;
  const { answer: body, answerStatus: status } = container.behaviour;
  return (streams) => answerPort(streams, { pod: nameOf(home.pod), port, body, status });
}

/** Programs all of whose ports are simulated. */
const isKnown = (container: SimulatedContainer): boolean =>
  !hasRules(container) && isEchoBasic(container.config.image.image);

/** A rule about its answers makes a container an unknown one. */
const hasRules = ({ behaviour: { answer, ports } }: SimulatedContainer): boolean =>
  answer !== undefined || ports !== undefined;

function serverOf(
  container: SimulatedContainer,
  factsOf: (container: SimulatedContainer) => ProgramFacts,
): PortServer | undefined {
  const { image } = container.config.image;
  const create = isEchoBasic(image) ? createEchoBasic : isCoredns(image) ? createCoredns : undefined;
  if (!create || hasRules(container)) return undefined;
  return (container.server ??= create(factsOf(container)));
}

const declares = ({ home: { pod }, config: { name } }: SimulatedContainer, port: number): boolean =>
  findContainer(pod, name)?.ports?.some(({ containerPort }) => containerPort === port) ?? false;
