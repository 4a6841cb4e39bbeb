import { readdirSync, readFileSync } from "node:fs";
import type { Clock } from "@coxswain/runtime/clock";
import type { Metrics } from "@coxswain/runtime/metrics";

export interface ProcessFacts {
  /** When the process began, in milliseconds since 1970. */
  readonly startedAt: number;
}

/**
 * What the operating system and the runtime know of this process, under the names that every Prometheus client uses.
 * What a system cannot report is left out.
 */
export function addProcessMetrics(metrics: Metrics, clock: Pick<Clock, "now">): ProcessFacts {
  const startedAt = clock.now() - process.uptime() * 1000;
  const gauge = (name: string, help: string, read: () => number | undefined): void =>
    metrics.collectGauge({ name, help, stability: "none" }, (report) => {
      const value = read();
      if (value !== undefined) report(value);
    });
  metrics.collectCounter(
    {
      name: "process_cpu_seconds_total",
      help: "CPU time of the process, its own and the kernel's for it, in seconds.",
      stability: "none",
    },
    (report) => {
      const { user, system } = process.cpuUsage();
      report((user + system) / 1e6);
    },
  );
  gauge("process_start_time_seconds", "When the process began, in seconds since 1970.", () => startedAt / 1000);
  gauge("process_resident_memory_bytes", "Memory of the process that is in RAM.", () => process.memoryUsage.rss());
  gauge("process_virtual_memory_bytes", "Address space of the process.", () => fromStatm(0));
  gauge("process_open_fds", "File descriptors that are open.", () =>
    attempt(() => readdirSync("/proc/self/fd").length),
  );
  gauge("process_max_fds", "File descriptors that may be open.", () => attempt(() => limitOf("Max open files")));
  gauge(
    "nodejs_heap_size_total_bytes",
    "Memory that V8 has taken for its heap.",
    () => process.memoryUsage().heapTotal,
  );
  gauge("nodejs_heap_size_used_bytes", "Memory of V8's heap that is in use.", () => process.memoryUsage().heapUsed);
  gauge(
    "nodejs_external_memory_bytes",
    "Memory outside the heap that objects hold on to.",
    () => process.memoryUsage().external,
  );
  gauge(
    "nodejs_active_timers",
    "Timers that are set and keep the process alive.",
    () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length,
  );
  metrics.collectGauge(
    { name: "nodejs_version_info", help: "The version of Node.", stability: "none", labels: ["version"] },
    (report) => report(1, process.version),
  );
  return { startedAt };
}

const pageBytes = 4096;

function fromStatm(column: number): number | undefined {
  const pages = attempt(() => Number(readFileSync("/proc/self/statm", "latin1").split(" ")[column]));
  return pages === undefined ? undefined : pages * pageBytes;
}

function limitOf(name: string): number | undefined {
  const line = readFileSync("/proc/self/limits", "latin1")
    .split("\n")
    .find((text) => text.startsWith(name));
  const soft = line?.slice(name.length).trim().split(/\s+/)[0];
  return soft === undefined || soft === "unlimited" ? undefined : Number(soft);
}

/** There is no /proc outside Linux. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
