export { followIdleConnections } from "./follow-idle-connections.js";
