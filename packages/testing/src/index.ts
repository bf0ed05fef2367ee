export { until } from './until.ts';
export { freePort } from './free-port.ts';
export {
  type Exit,
  killHard,
  nodeArguments,
  type NodeProcess,
  spawnNode,
  type SpawnNodeOptions,
} from './node-process.ts';
export { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts';
export { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
export type { RedisServer } from './redis.ts';
export { type RedisOptions, startRedis } from './redis-server.ts';
export type {
  AnsweredCall,
  GoodAnswer,
  ModelAnswer,
  ModelProtocol,
  ModelRequest,
} from './model-server/model-answer.ts';
export {
  type ModelScript,
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from './model-server/model-server.ts';
export { bigText } from './tool-server/tool-server.ts';
export {
  type HttpToolServer,
  type HttpToolServerOptions,
  type RawAnswer,
  startHttpToolServer,
} from './tool-server/http-tool-server.ts';
export { toolServerCommand } from './tool-server/tool-server-command.ts';
