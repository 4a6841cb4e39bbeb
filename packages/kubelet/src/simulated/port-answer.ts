import { findContainer, nameOf } from "../objects/cached-pod.js";
import type { PortStreams } from "../runtime/container-runtime.js";
import { answerPort } from "./http-echo.js";
import type { SimulatedContainer, SimulatedPod } from "./simulated-pod.js";

/** What answers at a port of a pod; undefined: nothing listens there. */
export function answererOf(home: SimulatedPod, port: number): ((streams: PortStreams) => Promise<void>) | undefined {
  const running = [...home.containers.values()].flatMap(([run]) => (run?.record.state === "running" ? [run] : []));
  const listening = running.filter(({ behaviour: { ports } }) => ports === undefined || ports.includes(port));
  const container = listening.find((one) => declares(one, port)) ?? listening[0];
  if (!container) return undefined;
  const { answer: body, answerStatus: status } = container.behaviour;
  return (streams) => answerPort(streams, { pod: nameOf(home.pod), port, body, status });
}

const declares = ({ config: { pod, name } }: SimulatedContainer, port: number): boolean =>
  findContainer(pod, name)?.ports?.some(({ containerPort }) => containerPort === port) ?? false;
