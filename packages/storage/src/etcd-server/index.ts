export { type EtcdServerOptions, serveEtcd } from "./serve-etcd.js";
