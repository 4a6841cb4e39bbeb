export { type ChannelProtocol, channelProtocols, type Channels, openChannels } from "./channels.js";
export {
  acceptWebSocket,
  connectWebSocket,
  type Handshake,
  isWebSocketRequest,
  planHandshake,
  requestedProtocols,
} from "./handshake.js";
export { tunnelThrough } from "./tunnel.js";
export type { WebSocketConnection, WebSocketEvents } from "./websocket.js";

export { closeCode } from "./frame.js";
export { createWebSocket, type WebSocketOptions } from "./websocket.js";
