import { getOwn } from "@coxswain/apimachinery/own";
import { quantityMilliValue, quantityValue } from "@coxswain/apimachinery/quantity";
import type { ContainerRecord, ContainerStats, PodStats } from "../runtime/container-runtime.js";
import type { Behaviour } from "./behaviour.js";
import type { SimulatedPod } from "./simulated-pod.js";

/** What a container uses that asks for nothing. */
const idle = { cpuMillis: 1, memoryBytes: 8 * 1024 * 1024 };

/** Pure: what a running container uses: by its rules, else half the CPU and the memory that it requests. */
export function planUsage(record: ContainerRecord, behaviour: Behaviour, now: number): ContainerStats {
  const { requests } = record.resources;
  const [cpu, memory] = [getOwn(requests, "cpu"), getOwn(requests, "memory")];
  const cpuMillis = behaviour.cpuMillis ?? (cpu === undefined ? idle.cpuMillis : quantityMilliValue(cpu) / 2);
  const startedAt = record.startedAt ?? now;
  return {
    name: record.name,
    cpuNanoCores: cpuMillis * 1e6,
    cpuNanoCoreSeconds: cpuMillis * 1e6 * Math.max(0, (now - startedAt) / 1000),
    memoryBytes: behaviour.memoryBytes ?? (memory === undefined ? idle.memoryBytes : quantityValue(memory)),
    storageBytes: behaviour.storageBytes ?? 0,
    inodes: behaviour.inodes ?? 0,
    processes: behaviour.processes ?? 1,
    startedAt,
  };
}

/** Pure: what the running containers and the volumes of a pod use. */
export function planPodUsage({ containers, volumes }: SimulatedPod, at: number): PodStats {
  const running = [...containers.values()].flatMap(([run]) => (run?.record.state === "running" ? [run] : []));
  return {
    at,
    containers: running.map(({ record, behaviour }) => planUsage(record, behaviour, at)),
    volumes: [...volumes].map(([name, { size }]) => ({ name, usedBytes: size })),
  };
}
