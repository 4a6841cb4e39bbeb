import { type PlainServer, servePlain } from "./serve-plain.js";
import { serviceHealthPage } from "./service-health.js";

export interface WantedHealthCheck {
  readonly port: number;
  readonly localEndpoints: number;
}

interface Running {
  readonly port: number;
  readonly servers: Promise<PlainServer[]>;
}

export interface ServiceHealthOptions {
  /** Addresses to listen on. */
  readonly hosts: readonly string[];
  isProxyHealthy(): boolean;
  onFailed(service: string, port: number, error: unknown): void;
}

/** A small HTTP server for each service with a healthCheckNodePort. */
export class ServiceHealthServers {
  readonly #options: ServiceHealthOptions;
  readonly #running = new Map<string, Running>();
  readonly #counts = new Map<string, number>();

  constructor(options: ServiceHealthOptions) {
    this.#options = options;
  }

  /** The service is this now; undefined: it has no health check. A port that could not be bound is tried again at the next change. */
  async put(service: string, wanted: WantedHealthCheck | undefined): Promise<void> {
    const running = this.#running.get(service);
    if (running !== undefined && running.port !== wanted?.port) await this.#close(service, running);
    if (wanted === undefined) {
      this.#counts.delete(service);
      return;
    }
    this.#counts.set(service, wanted.localEndpoints);
    if (!this.#running.has(service)) await this.#open(service, wanted.port);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running].map(([service, running]) => this.#close(service, running)));
  }

  async #open(service: string, port: number): Promise<void> {
    const servers = this.#listen(service, port);
    this.#running.set(service, { port, servers });
    try {
      await servers;
    } catch (error) {
      this.#running.delete(service);
      this.#options.onFailed(service, port, error);
    }
  }

  async #close(service: string, { servers }: Running): Promise<void> {
    this.#running.delete(service);
    const opened = await servers.catch(() => []);
    await Promise.all(opened.map((server) => server.close()));
  }

  async #listen(service: string, port: number): Promise<PlainServer[]> {
    const opened: PlainServer[] = [];
    try {
      // Each family has servers of its own, which may listen on the same port.
      for (const host of this.#options.hosts)
        opened.push(
          await servePlain({ host, port, ipv6Only: true }, (_request, response) => {
            const page = serviceHealthPage(service, {
              localEndpoints: this.#counts.get(service) ?? 0,
              isProxyHealthy: this.#options.isProxyHealthy(),
            });
            response.writeHead(page.status, page.headers).end(page.body);
          }),
        );
      return opened;
    } catch (error) {
      await Promise.all(opened.map((server) => server.close()));
      throw error;
    }
  }
}
