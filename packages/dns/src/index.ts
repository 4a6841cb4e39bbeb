export { type DnsOptions, type RunningDns, startDns } from "./start-dns.js";
export { findName, type NameQuestion, resolveName } from "./resolve-name.js";
export type { ClusterZones } from "./answer/cluster-zones.js";
export type { ForwardOptions } from "./forward/forward-routes.js";
export { type NameServer, nameServerText, parseNameServer, readResolvConf } from "./forward/name-server.js";
export type { ListenAddress, Listening } from "./server/listening.js";
export { type PlainPage, servePages } from "./server/serve-pages.js";

export { planAnswer } from "./answer/plan-answer.js";
export type { AnswerPlan } from "./answer/answer-plan.js";
export { createRecordIndex, type RecordIndex } from "./records/record-index.js";
export { readService, readSlice } from "./records/read-records.js";
export type { EndpointRecord, PortRecord, Records, ServiceRecord, SliceRecord } from "./records/records.js";
