import type { HttpPort, TlsPort } from "../engine/engine.js";
import type { ExchangeContext } from "../exchange/exchange-context.js";
import type { StreamContext } from "../streams/proxy-stream.js";
import type { HttpService } from "./http-service.js";

/** What all ports share. */
export interface PortContext {
  readonly exchange: ExchangeContext;
  readonly stream: StreamContext;
  httpService(port: HttpPort | TlsPort): HttpService;
}
